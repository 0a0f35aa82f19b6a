"""What a batch reports: what became of every input, and which results are outdated."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from resultproc.batch.inputs import Input
from resultproc.batch.ledger import Ledger, Outcome
from resultproc.formats.json.writer import remark_entry
from resultproc.model.errors import Problem, shown
from resultproc.model.provenance import program

SCHEMA = "1.1"
"""The version of the report, which ``report.schema.json`` describes."""


class Doubtful(TypedDict):
    """The remarks on a file, as the report has them."""

    file: str
    hash: str
    remarks: list[dict[str, str]]


@dataclass
class Tally:
    """How far a run is: files to do, done and failed in it, their games, and how many earlier runs had done.

    inputs: every input with what became of it. failures: what is wrong with which file, of earlier runs too. same:
    files whose content another file has. doubtful: the remarks on which file. removed, left: outdated
    results, those that were removed and those that are still there.
    """

    files: int = 0
    done: int = 0
    failed: int = 0
    games: int = 0
    before: int = 0
    inputs: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    doubtful: list[Doubtful] = field(default_factory=list)
    same: list[dict[str, str]] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[dict[str, str]] = field(default_factory=list)

    def count(self, *outcomes: Outcome) -> None:
        """Count inputs that this run has done."""
        self.done += len(outcomes)
        self.games += sum(outcome.games for outcome in outcomes)
        self.failed += sum(bool(outcome.problems) for outcome in outcomes)

    def take_back(self, *outcomes: Outcome) -> None:
        """Count inputs that this run has done as failed."""
        self.failed += len(outcomes)
        self.games -= sum(outcome.games for outcome in outcomes)

    def list_inputs(
        self,
        items: Iterable[Input],
        same: Mapping[str, str],
        ledger: Ledger,
        done: set[str],
        versions: Mapping[str, Sequence[Problem]],
    ) -> None:
        """List every input. same: as in a plan. done: the keys of those that this run has done.

        versions: the remarks on games that another file may have, too, by the keys of the inputs.
        """
        for item in sorted(items, key=lambda item: shown(item.path)):
            other = same.get(item.key)
            entry = ledger.entries.get(other or item.key)
            outcome = entry.outcome if entry and entry.outcome else Outcome()
            if not item.hash:  # what was written of it before is still there
                wrong = list(item.problems)
                outcome = Outcome(problems=wrong, number_of_problems=len(wrong), files=outcome.files)
                self.files += bool(wrong)
                self.count(*([outcome] if wrong else []))
            outcome = outcome.doubted([remark_entry(each) for each in versions.get(item.key, ())])
            state = "done" if item.key in done else "done_before"
            state = "same_content" if other else "waiting" if item.waiting else state
            self.before += state == "done_before" and not item.problems
            state = "failed" if outcome.problems else state
            self._list(item, state, outcome, other)

    def _list(self, item: Input, state: str, outcome: Outcome, other: str | None) -> None:
        file = shown(item.path)
        same = {"same_as": other} if other else {}
        self.inputs.append({"file": file, "state": state, **same, **_entry(outcome)})
        if other:
            self.same.append({"file": file, "same_as": other})
        if outcome.problems:
            self.failures.append({"file": file, "hash": item.hash, "problems": outcome.problems})
        if outcome.remarks:
            self.doubtful.append({"file": file, "hash": item.hash, "remarks": outcome.remarks})

    def report(self) -> bytes:
        """Return the report as JSON."""
        content = {
            "provenance": {"program": program(), "schema": SCHEMA},
            "files": self.done,
            "games": self.games,
            "failed": self.failed,
            "done_before": self.before,
            "inputs": self.inputs,
            "removed": sorted(self.removed),
            "left": self.left,
            "same_content": self.same,
            "failures": self.failures,
            "remarks": self.doubtful,
        }
        return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def _entry(outcome: Outcome) -> dict[str, Any]:
    return {
        "sha256": outcome.sha256 or None,
        "games": outcome.games,
        "outputs": [{"file": name, "sha256": sha256} for name, sha256 in sorted(outcome.files.items())],
        "rulebooks": outcome.rulebooks,
        "remarks": outcome.remarks,
        "number_of_remarks": outcome.number_of_remarks,
        "problems": outcome.problems,
        "number_of_problems": outcome.number_of_problems,
    }
