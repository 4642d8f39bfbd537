"""The record of what became of experiments: verdicts.json in the folder of each paper, and the verdict of a row."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from replications.declarations import VERDICTS, Paper, Part, Row

__all__ = ["Judged", "Record", "chart_names", "digest_of", "judged", "read_record", "recorded", "today", "write_record"]

FILE = "verdicts.json"
Record = dict[str, Any]


def read_record(paper: Paper) -> Record:
    """``experiments``: the outcome by name and size (full, quick); ``tests``: whether each passed, and when."""
    file = paper.folder / FILE
    record: Record = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {"experiments": {}, "tests": {}, **record}


def write_record(paper: Paper, record: Record) -> None:
    text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
    (paper.folder / FILE).write_text(text + "\n", encoding="utf-8")


def recorded(record: Record, experiment: str) -> Record | None:
    """The outcome of an experiment: that of the whole one, or else that of the small one."""
    outcomes = record["experiments"].get(experiment, {})
    for size in ("full", "quick"):
        if outcomes.get(size, {}).get("charts"):
            return {**outcomes[size], "size": size}
    for size in ("full", "quick"):
        if size in outcomes:
            return {**outcomes[size], "size": size}
    return None


def chart_names(charts: list[Any]) -> list[str]:
    """The name of each chart of an experiment, as `sfumato compare` names its files."""
    return [
        f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', chart.y.lower()).strip('-')}"
        for number, chart in enumerate(charts, start=1)
    ]


@dataclass(frozen=True)
class Judged:
    """The verdict of a row, when and on how much data it was found, and the sentences behind it."""

    verdict: str
    date: str = ""
    size: str = "full"
    sentences: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()

    @property
    def needs_cause(self) -> bool:
        return self.verdict in VERDICTS[1:]


def judged(row: Row, record: Record) -> Judged:
    """What the record says about a row: "holds" if all claims hold, "does not hold" if none of those judged does."""
    if row.not_repeated:
        return Judged("not repeated")
    found: list[tuple[str, str]] = []
    claims: list[str] = []
    dates: list[str] = []
    sizes: set[str] = set()
    missing: list[str] = []
    for part in row.charts:
        outcome = recorded(record, part.experiment)
        if outcome is None or not outcome.get("charts"):
            reason = f": {outcome['failed']}" if outcome and outcome.get("failed") else ""
            missing.append(f"{part.experiment} has not been run{reason}")
            continue
        dates.append(outcome["date"])
        sizes.add(outcome["size"])
        for finding in _findings(outcome, part):
            found.append((finding["verdict"], finding["sentence"]))
            if finding["claim"] and finding["claim"] not in claims:
                claims.append(finding["claim"])
    for test in row.tests:
        outcome = record["tests"].get(test)
        if outcome is None:
            missing.append(f"{test} has not been run")
            continue
        dates.append(outcome["date"])
        found.append((row.shows, "") if outcome["passed"] else ("does not hold", f"{test} fails"))
    verdicts = [verdict for verdict, _ in found if verdict in VERDICTS]
    sentences = tuple(dict.fromkeys([*(sentence for _, sentence in found if sentence), *missing]))
    size = "quick" if "quick" in sizes else "full"
    if not verdicts:
        return Judged("not run", max(dates, default=""), size, sentences, tuple(claims))
    verdict = verdicts[0] if len(set(verdicts)) == 1 else "holds in part"
    if verdict == "holds" and len(verdicts) < len(found):  # a claim could not be judged
        verdict = "holds in part"
    return Judged(verdict, min(dates), size, sentences, tuple(claims))


def _findings(outcome: Record, part: Part) -> list[Record]:
    findings: list[Record] = outcome["charts"].get(part.chart, [])
    return findings if part.claim is None else findings[part.claim - 1 : part.claim]


def digest_of(text: str) -> str:
    """A digest of what was run, so that a verdict can be told from one about an earlier version of it."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def today() -> str:
    """The date of a verdict."""
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()
