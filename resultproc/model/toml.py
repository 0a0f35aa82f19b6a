"""The package's own TOML files: what is data and no code stands in one, beside the module that reads it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def toml_beside(module: str, name: str) -> dict[str, Any]:
    """Return what a TOML file says. module: the ``__file__`` of the module that it stands beside."""
    return tomllib.loads(Path(module).with_name(name).read_text("utf-8"))
