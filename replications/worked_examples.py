"""Running the tests that repeat the worked examples of a paper."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from replications.declarations import FOLDER, Paper
from replications.verdicts import read_record, today, write_record

__all__ = ["run_tests"]


def run_tests(paper: Paper, tests: list[str], folder: Path, limit_s: float, tell: Callable[[str], None]) -> None:
    """Run these tests, all at once, and record whether each passes.

    folder : where the report is kept.
    """
    if not tests:
        return
    report = folder / f"{paper.name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    root = FOLDER.parent
    program = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *tests]
    subprocess.run(program, cwd=root, capture_output=True, timeout=limit_s, check=False)
    passed = _passed(report) if report.exists() else {}
    record = read_record(paper)
    for test in tests:
        outcomes = [good for name, good in passed.items() if name == test or name.startswith((f"{test}[", f"{test}::"))]
        record["tests"][test] = {"date": today(), "passed": bool(outcomes) and all(outcomes)}
        tell(f"{paper.name}: {test} {'passes' if record['tests'][test]['passed'] else 'FAILS'}")
    write_record(paper, record)


def _passed(report: Path) -> dict[str, bool]:
    """Whether each test of a JUnit file passed, by its name as pytest takes it."""
    passed = {}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.get("classname", "").replace(".", "/") + ".py"
        passed[f"{file}::{case.get('name')}"] = not list(case)
    return passed
