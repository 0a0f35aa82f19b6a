"""Workbooks made of rows."""

import io
from collections.abc import Callable, Iterable
from typing import Any

import openpyxl

Rows = Iterable[Iterable[Any]]


def workbook(change: Callable[[openpyxl.Workbook], object] = lambda book: None, /, **sheets: Rows) -> bytes:
    """Return a workbook of some sheets, with something changed in it.

    sheets: by their names, with blanks where the keyword has underscores.
    """
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        added = book.create_sheet(name.replace("_", " "))
        for row in rows:
            added.append(list(row))
    change(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
