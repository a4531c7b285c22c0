# Everything happens in .venv, with the versions of constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo policies test test-rllib bench peers soak memory clean

.venv/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
	touch $@

.venv/dev: .venv/core
	$(INSTALL) --editable '.[train,dev]'
	touch $@

.venv/train: .venv/core
	$(INSTALL) --editable '.[train]'
	touch $@

# Two minutes of training, a table of results and a learning curve.
demo: .venv/train
	$(BIN)/arabian games
	$(BIN)/arabian train six_sons --set minutes=2 --set imitation.seconds=30 --set evaluation.every=20

# The policies that come with the package: hours of training. A run that was stopped goes on where it was.
policies: .venv/train
	$(BIN)/python -m training.policies

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadgroup

# RLlib pins an older Gymnasium and so has an environment of its own.
.venv-rllib/ready: pyproject.toml constraints.txt constraints-rllib.txt
	$(PYTHON) -m venv .venv-rllib
	grep -v '^gymnasium==' constraints.txt | cat - constraints-rllib.txt > .venv-rllib/constraints.txt
	.venv-rllib/bin/pip install --quiet --disable-pip-version-check --constraint .venv-rllib/constraints.txt \
		--editable '.[rllib]' pytest
	touch $@

test-rllib: .venv-rllib/ready
	.venv-rllib/bin/pytest tests/test_rllib.py

bench: .venv/dev
	$(BIN)/python benchmarks/throughput.py

# Other libraries beside ours, in an environment of their own. A library that does not install there is reported as not measured.
.venv-peers/ready: pyproject.toml constraints.txt constraints-peers.txt
	$(PYTHON) -m venv .venv-peers
	cat constraints.txt constraints-peers.txt > .venv-peers/constraints.txt
	.venv-peers/bin/pip install --quiet --disable-pip-version-check --constraint .venv-peers/constraints.txt \
		--editable '.[peers]'
	touch $@

peers: .venv-peers/ready
	.venv-peers/bin/python benchmarks/peers.py

# A billion decisions with the games' own truths checked on a sample; a run that was stopped goes on where it was.
soak: .venv/core
	$(BIN)/python benchmarks/soak.py

memory: .venv/core
	$(BIN)/python benchmarks/memory.py

clean:
	rm -rf .venv .venv-rllib .venv-peers dist build .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find arabian_envs agents training tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
