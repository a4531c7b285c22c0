"""Policies as files: the layers of a network and what it was trained for. Reading one executes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arabian_envs import Game, MismatchError

Layer = tuple[NDArray, NDArray]
"""Weights (outputs × inputs) and biases."""

_METADATA = "arabian_policy"


def _relu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(x, 0, out=x)


def _tanh(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.tanh(x, out=x)


ACTIVATIONS = {"relu": _relu, "tanh": _tanh}


@dataclass(frozen=True)
class Policy:
    """A network from observations to a score for each action, and the game it was trained for.

    Attributes:
        game: the game's id.
        version: the game's version when the policy was trained.
        layers: the layers in order; the last one gives the logits.
        activation: what follows every layer but the last: "relu" or "tanh".
        facts: how it was trained; anything JSON can hold.
    """

    game: str
    version: int
    layers: Sequence[Layer]
    activation: str = "relu"
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.activation not in ACTIVATIONS:
            raise ValueError(f"activation {self.activation!r}; expected {' or '.join(ACTIVATIONS)}")
        if not self.layers:
            raise ValueError("no layers; expected at least one")
        sizes = [self.layers[0][0].shape[-1]]
        for index, (weight, bias) in enumerate(self.layers):
            if weight.ndim != 2 or weight.shape[1] != sizes[-1] or bias.shape != weight.shape[:1]:
                raise ValueError(f"layer {index}: weights {weight.shape} and biases {bias.shape} on {sizes[-1]} inputs")
            sizes.append(weight.shape[0])
        # Inputs × outputs in float32, as the product wants them.
        ready = [(np.ascontiguousarray(w.T, dtype=np.float32), b.astype(np.float32)) for w, b in self.layers]
        object.__setattr__(self, "_ready", ready)

    @property
    def observation_size(self) -> int:
        return self.layers[0][0].shape[1]

    @property
    def num_actions(self) -> int:
        return self.layers[-1][0].shape[0]

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """A score for every action, one row an observation."""
        *hidden, last = self._ready  # type: ignore[attr-defined]  # set in __post_init__
        x = observations
        for weight, bias in hidden:
            x = ACTIVATIONS[self.activation](x @ weight + bias)
        return x @ last[0] + last[1]

    def check(self, game: Game) -> None:
        """Refuse a game that this policy was not trained for, and say what differs."""
        pairs = {
            "game": (self.game, game.id),
            "version": (self.version, game.version),
            "observation size": (self.observation_size, game.observation_size),
            "number of actions": (self.num_actions, game.num_actions),
        }
        wrong = [f"its {what} is {theirs}, expected {ours}" for what, (theirs, ours) in pairs.items() if theirs != ours]
        if wrong:
            raise MismatchError(f"this policy cannot play {game.name}: {'; '.join(wrong)}")


def save_policy(
    path: str | Path,
    game: Game,
    layers: Sequence[Layer],
    activation: str,
    facts: Mapping[str, Any],
    half: bool = False,
) -> None:
    """Write a policy file in one move: layers as safetensors, everything else as JSON in its header.

    Args:
        path: the file, usually `….safetensors`.
        game: the game the policy plays.
        layers: weights (outputs × inputs) and biases, from the observation to the logits.
        activation: "relu" or "tanh".
        facts: how it was trained; anything JSON can hold.
        half: whether to store numbers of 16 bits instead of 32.
    """
    from safetensors.numpy import save

    Policy(game.id, game.version, layers, activation, facts).check(game)
    header = {
        "game": game.id,
        "version": game.version,
        "observation_size": game.observation_size,
        "num_actions": game.num_actions,
        "num_layers": len(layers),
        "activation": activation,
        "facts": dict(facts),
    }
    tensors = {}
    for index, (weight, bias) in enumerate(layers):
        for name, values in (("weight", weight), ("bias", bias)):
            tensors[f"{index}.{name}"] = np.ascontiguousarray(values, dtype=np.float16 if half else np.float32)
    write_atomically(path, save(tensors, {_METADATA: json.dumps(header)}))


def load_policy(path: str | Path) -> Policy:
    """Read a policy file."""
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise FileNotFoundError(f"no policy file {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})[_METADATA])
            layers = [
                (file.get_tensor(f"{index}.weight"), file.get_tensor(f"{index}.bias"))
                for index in range(header["num_layers"])
            ]
        return Policy(header["game"], header["version"], layers, header["activation"], header["facts"])
    except (SafetensorError, KeyError, TypeError, ValueError) as problem:
        raise MismatchError(f"{path}: expected a policy file written by save_policy ({problem})") from problem


def write_atomically(path: str | Path, content: bytes) -> None:
    """Replace a file's content so that it is the old or the new one at any moment, even if the process dies."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
