"""The figures of docs/scaling.md are those of benchmarks/RESULTS.md, or follow from them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "scaling.md").read_text("utf-8")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def results(claim: str) -> list[dict[str, str]]:
    """The rows of a claim's table, as they are written."""
    section = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8").split(f"\n## {claim}\n")[1].split("\n## ")[0]
    head, _, *rows = [line for line in section.splitlines() if line.startswith("|")]
    return [dict(zip(cells(head), cells(row), strict=True)) for row in rows]


def number(text: str) -> float:
    return float(text.replace(",", ""))


def on_page(*words: str) -> bool:
    """Whether a row of a table of the page begins with these cells."""
    return any(cells(line)[: len(words)] == list(words) for line in PAGE.splitlines() if line.startswith("|"))


def test_every_measured_run_is_a_row() -> None:
    figures = ("seconds", "task s", "driver CPU s", "shuffled MB", "peak MB")
    for row in results("spark"):
        executors = "none: one machine" if row["executors"] == "0" else row["executors"]
        assert on_page(row["trajectories"], executors, *(row[name] for name in figures)), row
    names = ("trajectories", "locations", "k", "m", "labels", "in rounds", "displacement", "its in rounds", "passes")
    for row in results("rounds"):
        assert on_page(*(row[name] for name in names)), row


def test_the_cost_of_a_further_million_follows_from_the_rows() -> None:
    rows = {(row["trajectories"], row["executors"]): row for row in results("spark")}

    def further(name: str, executors: str) -> str:
        texts = [rows[size, executors][name] for size in ("5,000,000", "20,000,000")]
        if not texts[0]:
            return ""
        more = (number(texts[1]) - number(texts[0])) / 15
        return f"{more:.3g}"

    labels = {
        "seconds": "seconds",
        "seconds of tasks": "task s",
        "CPU seconds of the driver": "driver CPU s",
        "shuffled MB": "shuffled MB",
        "peak MB": "peak MB",
    }
    for label, name in labels.items():
        wanted = [further(name, executors) for executors in "012"]
        row = next(cells(line) for line in PAGE.splitlines() if line.startswith(f"| {label} | ") and "--" not in line)
        assert [cell and number(cell) for cell in row[1:]] == [text and float(text) for text in wanted], label


def test_what_is_extrapolated_follows_from_the_rows() -> None:
    rows = {(row["trajectories"], row["executors"]): row for row in results("spark")}
    fifty = results("fifty_million")[0]
    for command in ("anonymize", "verify", "audit"):
        assert f"`{command}` in {fifty[f'{command} MB']} MB" in PAGE
    for command in ("anonymize", "audit"):
        millions = 24_000 / (number(fifty[f"{command} MB"]) / 50)
        assert re.search(rf"`{command}` (reaches 24,000 MB )?at about {millions:.0f} million", PAGE), millions
    one, two = (number(rows["20,000,000", executors]["seconds"]) for executors in "12")
    assert f"{one / two:.2f} times as fast as one at 20 million" in PAGE
    tasks = (number(rows["20,000,000", "2"]["task s"]) - number(rows["5,000,000", "2"]["task s"])) / 15
    assert f"{10 * tasks:.0f} s an executor" in PAGE
    assert f"{10 * tasks / round(one / two / 2, 2):.0f} s instead of {10 * tasks:.0f} s" in PAGE
    assert round(tasks / 1.42) == 20
    second = number(rows["1,000,000", "2"]["peak MB"]) - number(rows["1,000,000", "1"]["peak MB"])
    assert f"{second:,.0f} MB for a second executor" in PAGE
