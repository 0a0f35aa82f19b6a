"""Half a file never passes for a whole one: each fixture, cut off at the end of one line or another."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from resultproc.model.errors import DeclarationError, ResultprocError
from resultproc.model.frames import Result
from resultproc.stages.pipeline import process

FIXTURES = Path(__file__).parents[1] / "fixtures"


def _files() -> list[Path]:
    """The fixtures of lines of text that are results files."""
    return [
        path
        for path in sorted(FIXTURES.rglob("*"))
        if path.suffix in {".csv", ".txt", ".xml", ".pbn", ".json"} and path.parent.name != "charts"
        # The values of a formula, which are no results.
        if not path.name.startswith("general-formula")
    ]


def _awarded(path: Path) -> Result:
    """Return a file's awards; those of a rating that it does not declare are of an open club game."""
    try:
        return process(path, boards=18)
    except DeclarationError:
        return process(path, boards=18, rating="club-open")


def _paid(result: Result) -> list[object]:
    assert result.awards is not None
    names = result.contestants[["section", "number", "player1", "percentage"]].astype(str)
    return [*names.itertuples(index=False), *result.awards["masterpoints"]]


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name) for path in _files()])
def test_a_file_cut_off_at_a_line_end_is_refused_or_remarked_on(path: Path, tmp_path: Path) -> None:
    sidecar = path.with_suffix(".toml")
    if sidecar.exists():
        shutil.copy(sidecar, tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    silent = []
    for count in range(1, len(lines), max(1, len(lines) // 9)):
        cut = tmp_path / path.name
        cut.write_bytes(b"".join(lines[:count]))
        try:
            result = _awarded(cut)
        except ResultprocError:
            continue
        if not result.remarks:
            silent.append((count, result))
    whole = _awarded(path) if silent else None
    for count, result in silent:
        # What is cut off may be what awards nothing, such as a list of members below all listings.
        assert whole is not None
        assert _paid(result) == _paid(whole), f"{path.name}: cut off after line {count}, and nobody says so"
