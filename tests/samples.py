"""Real files: they are other people's, so the project has none. The folder that RESULTPROC_SAMPLES names holds them."""

import os
from pathlib import Path

import pytest

VARIABLE = "RESULTPROC_SAMPLES"
SAMPLES = Path(os.environ.get(VARIABLE) or "nowhere").resolve()
real = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"real files: {VARIABLE} names no folder that holds them"
)
"""Marks the tests that read real files; they are left out where there are none."""

DECLARATIONS = sorted((Path(__file__).parent / "declarations").glob("recap*.toml"))
"""What the real reports do not print of their games."""


def declared_reports(folder: Path) -> list[Path]:
    """Copy the real reports into a folder, each with what is declared of it beside it, and return their paths."""
    for declared in DECLARATIONS:
        report = SAMPLES / "recaps" / f"{declared.stem}.txt"
        for path in (report, declared):
            (folder / path.name).write_bytes(path.read_bytes())
    return [folder / f"{declared.stem}.txt" for declared in DECLARATIONS]


SECTIONS_ALONE = sorted((Path(__file__).parent / "declarations" / "sections-alone").glob("recap*.toml"))
"""The same of reports that leave out overall awards: what they print is less than what their games earned."""
