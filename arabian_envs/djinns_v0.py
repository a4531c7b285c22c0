"""Djinns of the High Desert for PettingZoo: `env` and `raw_env`."""

from arabian_envs.adapters.aec import define

raw_env, env = define("djinns")
