"""The machinery all games share: compilation, randomness, specifications, components and batches."""
