"""Sultans of Wind for PettingZoo: `env` and `raw_env`."""

from arabian_envs.adapters.aec import define

raw_env, env = define("sultans_of_wind")
