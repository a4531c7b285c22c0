"""What machine a benchmark ran on, and where its results go."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


def describe_machine() -> dict[str, Any]:
    """Processor, cores, memory and the versions that matter."""
    facts = {
        "date": datetime.date.today().isoformat(),
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
    for package in ("numpy", "numba", "gymnasium", "pettingzoo", "arabian-envs"):
        facts[package] = importlib.metadata.version(package)
    return facts


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def write_results(name: str, results: dict[str, Any]) -> Path:
    """Keep results as JSON, with the machine and the command that made them."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    command = "python benchmarks/" + " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    path.write_text(json.dumps({"command": command, "machine": describe_machine(), **results}, indent=2) + "\n")
    return path
