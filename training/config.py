"""The options of a training run: TOML files on top of each other, checked against the classes below."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from agents.policy import ACTIVATIONS
from arabian_envs.engine.batch import REWARDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent / "configs"

# What every option means stands beside its value in configs/default.toml.


@dataclasses.dataclass(frozen=True)
class SnapshotConfig:
    """How the past of the learner is kept."""

    every: int
    kept: int


@dataclasses.dataclass(frozen=True)
class ImitationConfig:
    """How a teacher is imitated at the start."""

    seconds: float
    teacher: str
    tables: int
    noise: float
    learning_rate: float
    epochs: int


@dataclasses.dataclass(frozen=True)
class AdviceConfig:
    """What the policy hears from the heuristic."""

    samples: int
    trust: float


@dataclasses.dataclass(frozen=True)
class PPOConfig:
    """The network and the updates."""

    hidden: list[int]
    activation: str
    rollout: int
    minibatch: int
    epochs: int
    learning_rate: float
    gamma: float
    gae_lambda: float
    clip: float
    entropy: float
    value_weight: float
    max_grad_norm: float
    target_kl: float


@dataclasses.dataclass(frozen=True)
class EvaluationConfig:
    """How strength is measured on the way."""

    every: float
    games: int
    final_games: int
    baselines: list[str]


@dataclasses.dataclass(frozen=True)
class CheckpointConfig:
    """How often the run is kept."""

    every: float


@dataclasses.dataclass(frozen=True)
class Config:
    """All options of a run."""

    steps: int
    minutes: float
    seed: int
    threads: int
    tables: int
    players: list[int]
    reward: str
    opponents: dict[str, float]
    snapshots: SnapshotConfig
    imitation: ImitationConfig
    advice: AdviceConfig
    ppo: PPOConfig
    evaluation: EvaluationConfig
    checkpoint: CheckpointConfig

    def __post_init__(self) -> None:
        _expect(self.steps >= 1, "steps", self.steps, "at least 1")
        _expect(self.minutes > 0, "minutes", self.minutes, "more than 0")
        _expect(self.threads >= 1, "threads", self.threads, "at least 1")
        _expect(self.tables >= 1, "tables", self.tables, "at least 1")
        _expect(self.reward in REWARDS, "reward", self.reward, " or ".join(REWARDS))
        weights = self.opponents.values()
        _expect(min(weights, default=-1) >= 0 and sum(weights) > 0, "opponents", self.opponents, "weights, not all 0")
        _expect(self.snapshots.kept >= 1, "snapshots.kept", self.snapshots.kept, "at least 1")
        _expect(self.advice.samples >= 0, "advice.samples", self.advice.samples, "at least 0")
        _expect(self.ppo.activation in ACTIVATIONS, "ppo.activation", self.ppo.activation, " or ".join(ACTIVATIONS))
        _expect(self.ppo.rollout >= 2, "ppo.rollout", self.ppo.rollout, "at least 2")
        _expect(0 <= self.imitation.noise <= 1, "imitation.noise", self.imitation.noise, "0 … 1")

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"

    @classmethod
    def from_json(cls, path: Path, changes: Sequence[Mapping[str, Any]] = ()) -> Config:
        """The options of a run that is continued, and what changes in them."""
        return _build(cls, _merge_all([json.loads(path.read_text()), *changes]))


def load_config(game_id: str, changes: Sequence[Mapping[str, Any]] = ()) -> Config:
    """The default options, the game's own, and changes on top of them."""
    files = [FOLDER / "default.toml", FOLDER / f"{game_id}.toml"]
    return _build(Config, _merge_all([*(read_toml(path) for path in files if path.is_file()), *changes]))


def read_toml(path: str | Path) -> dict[str, Any]:
    """A file of options."""
    try:
        return tomllib.loads(Path(path).read_text())
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"{path}: {problem}") from None


def parse_setting(text: str) -> dict[str, Any]:
    """An option typed as `ppo.epochs=4`; a value that is not TOML is a word."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(f"--set {text}: expected key=value")
    for attempt in (value, json.dumps(value)):
        try:
            return tomllib.loads(f"{key} = {attempt}")
        except tomllib.TOMLDecodeError as problem:
            reason = problem
    raise ValueError(f"--set {text}: expected key=value ({reason})")


def _merge_all(layers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = _merge(merged, layer)
    return merged


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = _merge(merged[key], value) if both else value
    return merged


def _build(cls: type, values: Any, where: str = "") -> Any:
    """An options class from what TOML gave, refusing what it does not know."""
    if not isinstance(values, Mapping):
        raise ValueError(f"option {where.rstrip('.')!r}: expected a table, got {values!r}")
    hints = get_type_hints(cls)
    unknown = [where + key for key in values if key not in hints]
    if unknown:
        raise ValueError(f"unknown options: {', '.join(unknown)}; there are: {', '.join(where + key for key in hints)}")
    missing = [where + key for key in hints if key not in values]
    if missing:
        raise ValueError(f"missing options: {', '.join(missing)}")
    return cls(**{key: _convert(hints[key], values[key], where + key) for key in hints})


def _convert(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _build(kind, value, where + ".")  # type: ignore[arg-type]  # it is a class
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list and isinstance(value, list):
        return [_convert(inner[0], item, where) for item in value]
    if origin is dict and isinstance(value, Mapping):
        return {key: _convert(inner[1], item, f"{where}.{key}") for key, item in value.items()}
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if origin is None and type(value) is kind:
        return value
    raise ValueError(f"option {where!r}: expected {getattr(kind, '__name__', kind)}, got {value!r}")


def _expect(holds: bool, option: str, value: Any, right: str) -> None:
    if not holds:
        raise ValueError(f"option {option!r}: {value!r}; expected {right}")
