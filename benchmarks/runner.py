"""Run a claim's cases one by one, each in its own process; print the table; keep the results.

This process stays small on purpose: a child's peak memory is counted from that of the process it was made from,
so nothing heavy may be imported here.
"""

import json
import os
import platform
import re
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import CLAIMS

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
HEAD = """# What was measured

Written by `make bench`; each section by the command beside its table.  Everything is compiled before it is measured,
except where a section says "cold"; data are generated, except in "loading", "sequences" and "itemsets".  Seconds are by
the clock; CPU seconds are processor time, which other work on the machine changes less, and by which a claim is judged
where they are given.  Peak memory is that of a process of its own, with interpreter, libraries and input.
"""
Row = dict[str, Any]


def claim_in_words(name: str) -> str:
    return (import_module(f"benchmarks.claims.{name}").__doc__ or "").strip()


def run(name: str) -> bool:
    """Measure one claim, print and keep what was found; whether the claim is met."""
    claim = import_module(f"benchmarks.claims.{name}")
    setting = machine()
    print(f"\n{name}: {claim_in_words(name)}\n")
    rows = []
    for number, case in enumerate(claim.CASES, start=1):
        print(f"  {number}/{len(claim.CASES)} {shown_case(case)} ...", end="", flush=True)
        begun = time.perf_counter()
        rows.append(in_own_process(name, number - 1))
        print(f" {time.perf_counter() - begun:.0f} s")
    verdicts = claim.judge(rows)
    body = "\n".join([table(rows), "", *(f"- {'met' if one.holds else 'NOT MET'}: {one.sentence}" for one in verdicts)])
    print(f"\n{body}")
    keep(name, setting, rows, verdicts, body)
    return all(one.holds for one in verdicts)


def in_own_process(name: str, number: int) -> Row:
    command = [sys.executable, "-m", "benchmarks.case", name, str(number)]
    done = subprocess.run(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"benchmarks: {name}, case {number + 1} ended with exit code {done.returncode}")
    row: Row = json.loads(done.stdout.splitlines()[-1])
    return row


def machine() -> str:
    """What matters about this machine, and whether it was busy."""
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{os.cpu_count()} cores, {memory_gb:.0f} GB, Python {platform.python_version()}; "
        f"{time.strftime('%Y-%m-%d')}; load before: {os.getloadavg()[0]:.1f}"
    )


def shown_case(case: Row) -> str:
    return ", ".join(f"{key}={value}" for key, value in case.items() if not isinstance(value, dict))


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        digits = 0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3
        return f"{value:,.{digits}f}"
    return "" if value is None else str(value)


def table(rows: list[Row]) -> str:
    """An aligned Markdown table; numbers to the right."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    cells = [names, *([shown(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(names))]
    numeric = [all(isinstance(row.get(name), int | float | None) for row in rows) for name in names]

    def line(texts: list[str]) -> str:
        padded = [t.rjust(w) if right else t.ljust(w) for t, w, right in zip(texts, widths, numeric, strict=True)]
        return f"| {' | '.join(padded)} |"

    rule = "|".join("-" * (w + 1) + (":" if right else "-") for w, right in zip(widths, numeric, strict=True))
    return "\n".join([line(cells[0]), f"|{rule}|", *(line(texts) for texts in cells[1:])])


def keep(name: str, setting: str, rows: list[Row], verdicts: list[Any], body: str) -> None:
    """The figures as JSON, and this claim's section of RESULTS.md; other sections stay as they are."""
    found = {
        "claim": claim_in_words(name),
        "machine": setting,
        "rows": rows,
        "verdicts": [v._asdict() for v in verdicts],
    }
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    words = " ".join(claim_in_words(name).split())
    sections[name] = f"{words}\n\n`python -m benchmarks {name}` ({setting})\n\n{body}"
    kept = (f"## {one}\n\n{sections[one].strip()}\n" for one in CLAIMS if one in sections)
    RESULTS.write_text("\n".join([HEAD, *kept]), encoding="utf-8")
