"""What is installed: the wheel has all that the package has, and is the same bytes each time."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import PROJECT


def built(folder: Path, day: int) -> bytes:
    """Return the wheel of a copy of the project, whose files are of some day."""
    for path in [PROJECT / "pyproject.toml", PROJECT / "README.md", *(PROJECT / "resultproc").rglob("*")]:
        to = folder / path.relative_to(PROJECT)
        if path.is_file() and "__pycache__" not in path.parts:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(path.read_bytes())
            os.utime(to, (day, day))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", "wheel", "."]
    here = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run(command, cwd=folder, env=here, check=True, capture_output=True)
    (wheel,) = (folder / "wheel").iterdir()
    return wheel.read_bytes()


@pytest.mark.slow
def test_a_wheel_is_whole_and_the_same_twice(tmp_path: Path) -> None:
    first = built(tmp_path / "first", 1_600_000_000)
    assert first == built(tmp_path / "second", 1_650_000_000)
    (tmp_path / "wheel.zip").write_bytes(first)
    with zipfile.ZipFile(tmp_path / "wheel.zip") as wheel:
        there = set(wheel.namelist())
        (name,) = (name for name in there if name.endswith("/METADATA"))
        metadata = wheel.read(name).decode()
    package = (PROJECT / "resultproc").rglob("*")
    files = {str(path.relative_to(PROJECT)) for path in package if path.is_file() and "__pycache__" not in path.parts}
    assert files - there == set()
    assert "resultproc/docs/reference.md" in there
    assert "Keywords: bridge" in metadata
    assert "License" not in metadata  # that is the owner's to say
    for extra in ("archive", "cluster", "pdf", "publish", "sign", "web"):
        assert f"Provides-Extra: {extra}" in metadata
