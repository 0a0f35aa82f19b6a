"""The templates of pages; all extend ``base.html`` beside this module, which has their style."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def template(name: str) -> Any:
    """Return a template by its path in the package, such as ``formats/html/page.html``; what is put in is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("resultproc", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
