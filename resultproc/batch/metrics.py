"""What a run of a batch came to, as numbers that a monitoring program collects: the text format of OpenMetrics.

``node_exporter`` and others read such a file wherever it lies. It is written whole when a run has ended: one that was
broken off leaves the numbers of the run before, whose end is then too long ago.
"""

from __future__ import annotations

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
    wrong = Counter(each["code"] for entry in report["failures"] for each in entry["problems"])
    ended = datetime.fromisoformat(run["ended"]).timestamp()
    parts = [
        _gauge("inputs", "Files that were found, by what became of them.", run["inputs"].items(), "state"),
        _gauge("games", "Games in all files.", [("", sum(each["games"] for each in inputs))]),
        _gauge("failures", "Problems of the files that failed, by their code.", sorted(wrong.items()), "code"),
        _gauge("doubtful", "Files with remarks, which somebody should look at.", [("", len(report["remarks"]))]),
        _gauge("run_seconds", "How long the run took.", [("", run["seconds"])]),
        _gauge("run_end_timestamp_seconds", "When the run ended, in seconds since 1970.", [("", ended)]),
        _gauge("run_exit_status", "The exit status that the files stand for: 0 is all done.", [("", run["status"])]),
        _gauge(
            "newest_input_timestamp_seconds",
            "When the newest file was written to, in seconds since 1970.",
            [] if newest is None else [("", newest)],
        ),
    ]
    return "".join([*parts, "# EOF\n"]).encode()


def _gauge(name: str, meaning: str, values: Iterable[tuple[str, float]], label: str = "") -> str:
    """Return a number, or one for each value of a label."""
    full = f"resultproc_batch_{name}"
    lines = [f"# TYPE {full} gauge", f"# HELP {full} {meaning}"]
    lines += [f'{full}{{{label}="{of}"}} {value}' if label else f"{full} {value}" for of, value in values]
    return "\n".join(lines) + "\n"
