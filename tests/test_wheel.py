"""What is installed: the wheel has all that the package has, and is the same bytes each time."""

import os
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import PROJECT


def copied(folder: Path, day: int) -> Path:
    """Return a copy of the project, whose files are of some day."""
    for path in [PROJECT / "pyproject.toml", PROJECT / "README.md", *(PROJECT / "resultproc").rglob("*")]:
        to = folder / path.relative_to(PROJECT)
        if path.is_file() and "__pycache__" not in path.parts:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(path.read_bytes())
            os.utime(to, (day, day))
    (folder / "wheel").mkdir()
    return folder


BUILD = """import os, sys
from setuptools.build_meta import build_wheel
for folder in sys.argv[1:]:
    os.chdir(folder)
    build_wheel("wheel")
"""
"""What installers call to build a project."""


def test_the_folder_for_windows_starts_what_it_says(tmp_path: Path) -> None:
    """The wheels and Python itself come from the network, and are tried by hand: see the document on contributing."""
    make = runpy.run_path(str(PROJECT / "scripts" / "make-windows-folder"))
    make["starts"](tmp_path, "windows")
    page = (tmp_path / "open.bat").read_bytes()
    assert page.count(b"\n") == page.count(b"\r\n") > 10
    assert b'resultproc.exe" open "%USERPROFILE%\\Bridge\\desk"' in page
    assert b'resultproc.exe" %*' in (tmp_path / "resultproc.bat").read_bytes()
    for name in ("open.bat", "resultproc.bat"):
        assert b"--no-index --find-links wheels" in (tmp_path / name).read_bytes()
    # On this kind of machine, with a launcher that makes what uv would.
    make["starts"](tmp_path, "linux")
    (tmp_path / "uv").write_text(UV, "utf-8")
    for path in (tmp_path / "uv", tmp_path / "resultproc.sh"):
        path.chmod(0o755)
    for said in ("Setting up, once", ""):
        done = subprocess.run(
            [tmp_path / "resultproc.sh", "award", "a b.csv"], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-2:] == ["award", "a b.csv"]
        assert done.stdout.startswith(said or "award")


UV = """#!/bin/sh
[ "$1" = venv ] && mkdir -p .venv/bin && exit
printf '#!/bin/sh\nfor each; do echo "$each"; done\n' > .venv/bin/resultproc && chmod +x .venv/bin/resultproc
"""


@pytest.mark.slow
def test_a_wheel_is_whole_and_the_same_twice(tmp_path: Path) -> None:
    folders = copied(tmp_path / "first", 1_600_000_000), copied(tmp_path / "second", 1_650_000_000)
    here = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([sys.executable, "-c", BUILD, *folders], env=here, check=True, capture_output=True)
    first, second = (wheel.read_bytes() for folder in folders for wheel in (folder / "wheel").iterdir())
    assert first == second
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
    for extra in ("archive", "cluster", "deals", "pdf", "publish", "sign", "web"):
        assert f"Provides-Extra: {extra}" in metadata
