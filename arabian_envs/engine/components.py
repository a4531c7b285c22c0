"""Reading component files: CSV tables that a person can edit, checked cell by cell."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arabian_envs.errors import ComponentError

Cell = Callable[[str], Any]

SOURCES = ("rulebook", "reconstruction")


def integer(low: int, high: int) -> Cell:
    """A whole number from low to high."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return value

    return parse


def choice(*names: str) -> Cell:
    """One of some names; the value is its index."""

    def parse(text: str) -> int:
        if text not in names:
            raise ValueError("one of " + ", ".join(repr(name) for name in names))
        return names.index(text)

    return parse


def text(value: str) -> str:
    """Any words."""
    return value


SOURCE = choice(*SOURCES)
"""Where a value comes from; the last column of every component file."""


class Row(dict[str, Any]):
    """One checked row, which knows where it stood."""

    def __init__(self, values: dict[str, Any], path: Path, line: int):
        super().__init__(values)
        self.path, self.line = path, line

    def wrong(self, field: str, expected: str) -> ComponentError:
        """An error that names this row."""
        return ComponentError(f"{self.path}, row {self.line}, field {field!r}: expected {expected}, found {self[field]!r}")


def read_table(path: Path, columns: Mapping[str, Cell], count: int | None = None) -> list[Row]:
    """Read a CSV file whose header is exactly `columns` (and `source`); `count` fixes the number of rows."""
    columns = {**columns, "source": SOURCE}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise ComponentError(f"{path}: expected a readable CSV file ({problem})") from problem
    if not lines:
        raise ComponentError(f"{path}, row 1: expected the header {','.join(columns)}, found an empty file")
    header = lines[0]
    for field in columns:
        if field not in header:
            raise ComponentError(f"{path}, row 1, field {field!r}: expected in the header, found {','.join(header)}")
    for field in header:
        if field not in columns or header.count(field) > 1:
            raise ComponentError(f"{path}, row 1, field {field!r}: expected once each {', '.join(columns)}")
    rows = [_read_row(path, number, header, cells, columns) for number, cells in enumerate(lines[1:], 2) if cells]
    if count is not None and len(rows) != count:
        raise ComponentError(f"{path}, row {len(rows) + 1}: expected {count} rows below the header, found {len(rows)}")
    return rows


def _read_row(path: Path, line: int, header: list[str], cells: list[str], columns: Mapping[str, Cell]) -> Row:
    if len(cells) != len(header):
        raise ComponentError(f"{path}, row {line}: expected {len(header)} fields, found {len(cells)}")
    values = {}
    for field, cell in zip(header, cells, strict=True):
        try:
            values[field] = columns[field](cell.strip())
        except ValueError as expected:
            raise ComponentError(f"{path}, row {line}, field {field!r}: expected {expected}, found {cell!r}") from None
    return Row(values, path, line)


def read_numbers(path: Path, columns: Mapping[str, Cell]) -> dict[str, Any]:
    """Read a file of single numbers: columns name, value, source; every name once."""
    rows = read_table(path, {"name": text, "value": text})
    values: dict[str, Any] = {}
    for row in rows:
        name = row["name"]
        if name not in columns or name in values:
            raise row.wrong("name", "once each " + ", ".join(columns))
        try:
            values[name] = columns[name](row["value"])
        except ValueError as expected:
            raise row.wrong("value", str(expected)) from None
    for name in columns:
        if name not in values:
            raise ComponentError(f"{path}, row {len(rows) + 2}, field 'name': expected a row for {name!r}, found none")
    return values


def component_files(default: Path, folder: str | Path | None, names: Sequence[str]) -> dict[str, Path]:
    """The files of a box: those in `folder`, and the game's own for what the folder does not hold."""
    files = {name: default / name for name in names}
    if folder is None:
        return files
    folder = Path(folder)
    if not folder.is_dir():
        raise ComponentError(f"{folder}: expected a folder with any of {', '.join(names)}")
    found = {path.name: path for path in sorted(folder.glob("*.csv"))}
    if not found:
        raise ComponentError(f"{folder}: expected any of {', '.join(names)}, found no CSV file")
    for name, path in found.items():
        if name not in files:
            raise ComponentError(f"{path}: expected one of {', '.join(names)}")
    return {**files, **found}
