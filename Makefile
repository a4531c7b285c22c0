# Everything happens in .venv, with the versions of constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test bench clean

.venv/core: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(INSTALL) --editable .
	touch $@

.venv/dev: .venv/core
	$(INSTALL) --editable '.[train,dev]'
	touch $@

demo: .venv/core
	$(BIN)/arabian games
	$(BIN)/arabian match six_sons greedy random --games 4000

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

bench: .venv/dev
	$(BIN)/python benchmarks/throughput.py

clean:
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache
	find arabian_envs agents training tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
