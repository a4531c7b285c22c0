"""The README's examples run, top to bottom."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_run():
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    program = "\n".join(blocks).replace("100_000", "2_000").replace("8192", "64").replace("256", "16")
    assert "MaskablePPO" in program
    answer = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


def test_named_actions_are_as_the_readme_says():
    from arabian_envs import get_game

    assert get_game("six_sons").action("swap", "Herbal") == 25
    assert get_game("six_sons").action_name(25) == "swap Herbal"
