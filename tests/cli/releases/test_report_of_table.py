"""`sfumato report` on a release of a table: roles of columns that only the release states, and how to read the data."""

from __future__ import annotations

import html
import json
import re
import shlex
from pathlib import Path

import pytest

from hostile_documents import Page


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rows = [f"n{row},{30 + row % 4},{'mw'[row % 2]},{row % 3},{'abc'[row % 3]}" for row in range(24)]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["name,age,sex,rooms,ill", *rows]) + "\n")
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "tree_age.csv").write_text("".join(f"{age};{age // 10}0s;*\n" for age in range(10, 60)))
    return path


@pytest.fixture
def released(run, people: Path, tmp_path: Path) -> list[object]:
    """The release, with what its report needs at least."""
    out, report, trees = tmp_path / "out", tmp_path / "private.json", tmp_path / "trees"
    roles = ["--quasi-identifiers", "age,sex", "--sensitive", "ill"]
    given = ["--person", "name", "--hierarchies", trees]
    ran = run("anonymize", "incognito", people, *given, *roles, "--k", 9, "--out", out, "--report", report)
    assert ran.code == 0, ran.err
    return [out, "--original", people, *given, "--report", report]


def test_the_release_states_roles_that_are_not_given(run, released: list[object], tmp_path: Path) -> None:
    bare, full = tmp_path / "bare.html", tmp_path / "full.html"
    ran = run("report", *released, "--out", bare)
    assert ran.code == 0, ran.err
    roles = "--quasi-identifiers age,sex --sensitive ill"
    assert (
        f"Only the release says this: quasi-identifiers, sensitive columns. If it is right, give it with the "
        f"original ({roles})." in ran.out
    )
    again = run("report", *released, *roles.split(), "--out", full)
    assert "Everything that the release claims was checked, and it holds." in again.out
    assert "Only the release says" not in again.out + full.read_text()
    texts = [Page(path.read_text()).text for path in (bare, full)]
    assert "claimed by the release, not confirmed by the original" in texts[0]
    measured = [
        text[text.index("Measures of what was kept") : text.index("How coarse the labels are")] for text in texts
    ]
    assert measured[0] == measured[1]  # with the same quasi-identifiers
    attacked = [text[text.index("All attacks") : text.index("What was lost")] for text in texts]
    assert attacked[0] == attacked[1]
    commands = [html.unescape(line) for line in re.findall("<pre[^>]*><code>(.*?)</code>", bare.read_text())]
    verify, audit, confirm = (shlex.split(line)[1:] for line in commands)
    assert (run(*verify).code, run(*audit).code, run(*confirm).code) == (3, 0, 0)


def test_options_that_the_original_needs_are_named(run, released: list[object], tmp_path: Path) -> None:
    out, _, people, *_ = released
    report = ["report", out, "--original", people, "--out", tmp_path / "b.html"]
    assert "it was read without its hierarchies; give hierarchies (--hierarchies DIR)" in run(*report).err
    with_run = [*report, "--report", tmp_path / "private.json"]
    assert "name the column that identifies the person (--person COLUMN)" in run(*with_run).err
    ran = run(*with_run, "--person", "name", "--missing", "a")
    assert "read differently; read them as the run did (the same --person, --items, --columns," in ran.err
    assert json.loads(run("report", *released, "--out", tmp_path / "b.html", "--json").out)["code"] == 0


def test_nothing_is_left_of_a_column(run, released: list[object], tmp_path: Path) -> None:
    page = tmp_path / "b.html"
    people = tmp_path / "other.csv"
    rows = [f"n{row},{10 + row},{'mw'[row % 2]},{row % 3},{'abc'[row % 3]}" for row in range(48)]
    people.write_text("\n".join(["name,age,sex,rooms,ill", *rows]) + "\n")
    out, report = tmp_path / "coarse", tmp_path / "coarse.json"
    given = ["--person", "name", "--hierarchies", tmp_path / "trees", "--quasi-identifiers", "age,rooms"]
    run("anonymize", "incognito", people, *given, "--k", 12, "--out", out, "--report", report)
    sentence = "Nothing is left of column age: every value is '*'."
    run("report", out, "--out", page)
    shown = Page(page.read_text()).text
    assert shown.count(sentence) == 2
    assert "What to try instead" not in shown
    run("report", *released, "--out", page)
    assert "is left of column" not in Page(page.read_text()).text
    ran = run("report", out, "--original", people, *given, "--report", report, "--out", page)
    assert ran.code == 0, ran.err
    assert Page(page.read_text()).text.count(sentence) == 2
    commands = [html.unescape(line) for line in re.findall("<code>(sfumato anonymize .*?)</code>", page.read_text())]
    assert len(commands) in (1, 2)
    for command in commands:
        assert run(*shlex.split(command)[1:]).code == 0
