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

from agents.advice import advice_size
from arabian_envs import Game, MismatchError, get_game
from arabian_envs.checks import number, whole, words

Layer = tuple[NDArray, NDArray]
"""Weights (outputs × inputs) and biases."""

_METADATA = "arabian_policy"
_MOST_ADVICE = 1_000_000


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
        advice: in how many worlds it asks the heuristic about every action (see `agents.advice`); 0 for a policy that sees
            the observation alone.
        trust: how much that advice adds to the logits.
    """

    game: str
    version: int
    layers: Sequence[Layer]
    activation: str = "relu"
    facts: Mapping[str, Any] = field(default_factory=dict)
    advice: int = 0
    trust: float = 0.0

    def __post_init__(self) -> None:
        words(self.game, "game")
        whole(self.version, "version")
        whole(self.advice, "advice", 0, _MOST_ADVICE)
        number(self.trust, "trust")
        if not isinstance(self.facts, Mapping):
            raise TypeError(f"facts {self.facts!r}; expected them by name")
        if not isinstance(self.activation, str) or self.activation not in ACTIVATIONS:
            raise ValueError(f"activation {self.activation!r}; expected {' or '.join(ACTIVATIONS)}")
        if not self.layers:
            raise ValueError("no layers; expected at least one")
        inputs, ready = None, []
        for index, (weight, bias) in enumerate(self.layers):
            if weight.ndim != 2 or inputs not in (None, weight.shape[1]) or bias.shape != weight.shape[:1]:
                raise ValueError(f"layer {index}: weights {weight.shape} and biases {bias.shape} on {inputs} inputs")
            inputs = weight.shape[0]
            # Inputs × outputs in float32, as the product wants them.
            with np.errstate(over="ignore"):
                layer = np.ascontiguousarray(weight.T, dtype=np.float32), bias.astype(np.float32)
            if weight.dtype.kind + bias.dtype.kind != "ff" or not all(np.isfinite(numbers).all() for numbers in layer):
                raise ValueError(f"layer {index}: {weight.dtype} and {bias.dtype}; expected finite floating-point numbers")
            ready.append(layer)
        object.__setattr__(self, "_ready", ready)

    @property
    def input_size(self) -> int:
        """Numbers of an observation, and of the advice behind it."""
        return self.layers[0][0].shape[1]

    @property
    def num_actions(self) -> int:
        return self.layers[-1][0].shape[0]

    def logits(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """A score for every action, one row an observation (with advice, if the policy takes any)."""
        *hidden, last = self._ready  # type: ignore[attr-defined]  # set in __post_init__
        x = observations
        for weight, bias in hidden:
            x = ACTIVATIONS[self.activation](x @ weight + bias)
        scores = x @ last[0] + last[1]
        if self.advice:
            scores += self.trust * observations[:, -self.num_actions - 1 : -1]
        return scores

    def check(self, game: Game) -> None:
        """Refuse a game that this policy was not trained for, and say what differs."""
        pairs = {
            "game": (self.game, game.id),
            "version": (self.version, game.version),
            "input size": (self.input_size, game.observation_size + advice_size(game, self.advice)),
            "number of actions": (self.num_actions, game.num_actions),
        }
        wrong = [f"its {what} is {theirs}, expected {ours}" for what, (theirs, ours) in pairs.items() if theirs != ours]
        if wrong:
            raise MismatchError(f"this policy cannot play {game.name}: {'; '.join(wrong)}")


def save_policy(path: str | Path, policy: Policy, half: bool = False) -> None:
    """Write a policy file in one move: layers as safetensors, everything else as JSON in its header.

    Args:
        path: the file, usually `….safetensors`.
        policy: the policy.
        half: whether to store numbers of 16 bits instead of 32.
    """
    from safetensors.numpy import save

    policy.check(get_game(policy.game))
    header = {
        "game": policy.game,
        "version": policy.version,
        "input_size": policy.input_size,
        "num_actions": policy.num_actions,
        "num_layers": len(policy.layers),
        "activation": policy.activation,
        "advice": policy.advice,
        "trust": policy.trust,
        "facts": dict(policy.facts),
    }
    tensors = {}
    for index, (weight, bias) in enumerate(policy.layers):
        for name, values in (("weight", weight), ("bias", bias)):
            tensors[f"{index}.{name}"] = np.ascontiguousarray(values, dtype=np.float16 if half else np.float32)
    write_atomically(path, save(tensors, {_METADATA: json.dumps(header)}))


def load_policy(path: str | Path) -> Policy:
    """Read a policy file."""
    from safetensors import safe_open

    if not Path(path).is_file():
        raise FileNotFoundError(f"no policy file {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})[_METADATA])
            layers = [
                (file.get_tensor(f"{index}.weight"), file.get_tensor(f"{index}.bias"))
                for index in range(whole(header["num_layers"], "num_layers", 1))
            ]
        names = ("game", "version", "activation", "facts", "advice", "trust")
        return Policy(layers=layers, **{name: header[name] for name in names if name in header})
    except OSError:
        raise
    except Exception as problem:
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
