"""The notebooks: executed with small settings, and stored with their outputs.

To store new outputs: `jupyter nbconvert --to notebook --execute --inplace notebooks/*.ipynb`.
"""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDS = {"03_train_ppo": ["torch", "sb3_contrib"], "04_benchmark_your_algorithm": ["choix"]}

# Six at once would share the cores with each other; one worker takes them all.
pytestmark = pytest.mark.xdist_group("notebooks")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_six():
    assert [path.stem[:2] for path in NOTEBOOKS] == ["01", "02", "03", "04", "05", "06"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, tmp_path, monkeypatch):
    for module in NEEDS.get(path.stem, []):
        pytest.importorskip(module)
    monkeypatch.setenv("ARABIAN_FAST", "1")
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_what_it_shows_and_is_stored_with_its_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].source.startswith("# ")
    assert "What this shows" in notebook.cells[0].source
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), "executed once, from top to bottom"
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert kinds & {"image/svg+xml", "image/png"}, "a notebook shows pictures"
    stored = path.read_text(encoding="utf-8")
    assert str(Path.home()) not in stored
    assert str(FOLDER.parent) not in stored
