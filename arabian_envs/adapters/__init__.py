"""The environments other libraries know, each written once for all games."""
