"""What a run of a batch came to, as numbers that a monitoring program collects: the text format of OpenMetrics.

``node_exporter`` and others read such a file wherever it lies. It is written whole when a run has ended: one that was
broken off leaves the numbers of the run before, whose end is then too long ago, and one that an error has ended
leaves them with its own exit status.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any


def metrics(report: Mapping[str, Any], newest: float | None) -> bytes:
    """Return the numbers of a run.

    report: as ``report.json`` has it.
    newest: when the newest input was written to, in seconds since 1970; None where there is none.
    """
    run, inputs = report["run"], report["inputs"]
    wrong = Counter(entry["problems"][0]["code"] for entry in report["failures"])
    ended = datetime.fromisoformat(run["ended"]).timestamp()
    parts = [
        _gauge("inputs", "Files that were found, by what became of them.", run["inputs"].items(), "state"),
        _gauge("games", "Games in all files.", [("", sum(each["games"] for each in inputs))]),
        _gauge("failures", "Files that failed, by the code of their first problem.", sorted(wrong.items()), "code"),
        _gauge("doubtful", "Files with remarks, which somebody should look at.", [("", len(report["remarks"]))]),
        _gauge("run_seconds", "How long the run took.", [("", run["seconds"])]),
        _gauge("run_end_timestamp_seconds", "When the run ended, in seconds since 1970.", [("", ended)]),
        _gauge(_STATUS, "The exit status of the run: 0 is all done.", [("", run["status"])]),
        _gauge(
            "newest_input_timestamp_seconds",
            "When the newest file was written to, in seconds since 1970.",
            [] if newest is None else [("", newest)],
        ),
    ]
    return "".join([*parts, "# EOF\n"]).encode()


_STATUS = "run_exit_status"


def after_error(before: str, status: int) -> bytes:
    """Return the numbers after a run that an error has ended. before: those of the run before, empty where none was."""
    told = before or _gauge(_STATUS, "The exit status of the run.", [("", 0)]) + "# EOF\n"
    return re.sub(rf"(?m)^(resultproc_batch_{_STATUS}) .*", rf"\g<1> {status}", told).encode()


def _gauge(name: str, meaning: str, values: Iterable[tuple[str, float]], label: str = "") -> str:
    """Return a number, or one for each value of a label."""
    full = f"resultproc_batch_{name}"
    lines = [f"# TYPE {full} gauge", f"# HELP {full} {meaning}"]
    lines += [f'{full}{{{label}="{of}"}} {value}' if label else f"{full} {value}" for of, value in values]
    return "\n".join(lines) + "\n"
