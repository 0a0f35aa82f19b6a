"""What a run of a batch came to, as numbers that a monitoring program collects: the text format of OpenMetrics.

``node_exporter`` and others read such a file wherever it lies. It is written whole when a run has ended: one that was
broken off leaves the numbers of the run before, whose end is then too long ago, and one that an error has ended
leaves them with its own exit status.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families


def metrics(report: Mapping[str, Any], newest: float | None) -> bytes:
    """Return the numbers of a run.

    report: as ``report.json`` has it.
    newest: when the newest input was written to, in seconds since 1970; None where there is none.
    """
    run, inputs = report["run"], report["inputs"]
    wrong = Counter(entry["problems"][0]["code"] for entry in report["failures"])
    ended = datetime.fromisoformat(run["ended"]).timestamp()
    numbers = [
        _gauges("inputs", "Files that were found, by what became of them.", "state", run["inputs"].items()),
        _gauge("games", "Games in all files.", sum(each["games"] for each in inputs)),
        _gauges("failures", "Files that failed, by the code of their first problem.", "code", sorted(wrong.items())),
        _gauge("doubtful", "Files with remarks, which somebody should look at.", len(report["remarks"])),
        _gauge("run_seconds", "How long the run took.", run["seconds"]),
        _gauge("run_end_timestamp_seconds", "When the run ended, in seconds since 1970.", ended),
        _status(run["status"]),
        _gauge("newest_input_timestamp_seconds", "When the newest file was written to, in seconds since 1970.", newest),
    ]
    return _written(numbers)


def after_error(before: bytes, status: int) -> bytes:
    """Return the numbers after a run that an error has ended. before: those of the run before, empty where none was."""
    try:
        told = text_string_to_metric_families(before.decode("ascii"))
        numbers = {each.name: each for each in told if each.name.startswith(_PREFIX)}
    except (ValueError, LookupError):  # no run has written these: the library has no error of its own for that
        numbers = {}
    now = _status(status)
    return _written({**numbers, now.name: now}.values())


_PREFIX = "resultproc_batch_"


def _status(status: int) -> Metric:
    return _gauge("run_exit_status", "The exit status of the run: 0 is all done.", status)


def _gauge(name: str, meaning: str, value: float | None) -> Metric:
    """Return a number; the family alone where it is not known."""
    return GaugeMetricFamily(_PREFIX + name, meaning, value)


def _gauges(name: str, meaning: str, label: str, values: Iterable[tuple[str, int]]) -> Metric:
    """Return a number for each value of a label."""
    family = GaugeMetricFamily(_PREFIX + name, meaning, labels=[label])
    for of, value in values:
        family.add_metric([of], value)
    return family


def _written(numbers: Iterable[Metric]) -> bytes:
    text: bytes = generate_latest(SimpleNamespace(collect=lambda: numbers))
    return text
