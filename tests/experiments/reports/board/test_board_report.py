"""The report on releases of every kind: a public edition from the directory alone, a private one that is marked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sfumato
from hostile_documents import Page
from random_releases import KINDS, Case, cases
from sfumato.catalogue import METHODS
from sfumato.errors import OutputError
from sfumato.experiments.reports.board.board_report import BoardReport
from sfumato.experiments.reports.board.facts import collect
from sfumato.experiments.reports.board.limits import limit_texts
from sfumato.experiments.reports.board.sections import SECTIONS
from sfumato.experiments.reports.documents.document import PRIVATE
from sfumato.io.published import directory
from sfumato.io.published.certificate import Certificate

OLD = Path(__file__).parents[3] / "releases" / "0.1.0"
BARE: dict[str, Any] = {"method": "by-hand", "parameters": {}, "seeded": False, "guarantees": (), "not_covered": ()}


def written(case: Case, out: Path) -> Path:
    """The release as a published directory; those made by hand promise nothing."""
    if hasattr(case.release, "write"):
        return case.release.write(out, override=True).path
    data = case.release.data.published()[0]
    return directory.write(data, Certificate(kind=data.kind, unit="record", records={}, **BARE), out)


def chosen(kind: str, seed: int) -> list[Case]:
    return [case for case in cases(kind) if case.name.startswith(f"{kind} {seed}:")]


def texts(value: Any) -> Iterator[str]:
    """Every text and every figure in a JSON value that does not occur by chance."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        yield from (text for inner in value for text in texts(inner))
    elif isinstance(value, str | float) and len(str(value)) > 5:
        yield str(value)


# --- the public edition ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_public_report_on_every_release(kind: str, tmp_path: Path) -> None:
    methods = set()
    for number, case in enumerate(chosen(kind, 1)):
        board = sfumato.report(written(case, tmp_path / f"{number}"))
        assert not board.private
        shown = Page(board.to_html())
        shown.require_alone()
        shown.require_accessible()
        assert [section.key for section in board.document.sections] == list(SECTIONS), case.name
        assert all(section.blocks for section in board.document.sections), case.name
        assert str(tmp_path) not in shown.text
        assert all(text in shown.text for text in limit_texts(board.facts))
        assert all(digest in shown.text for digest in (board.facts.certificate.files or {}).values())
        methods.add(board.facts.certificate.method)
    wanted = {name for name in METHODS.built_in if METHODS.load(name).kind == kind}
    assert len(methods & wanted) > len(wanted) / 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_public_report_as_pdf(kind: str) -> None:
    case = next(case for case in chosen(kind, 1) if hasattr(case.release, "write"))
    assert sfumato.report(case.release).to_pdf().startswith(b"%PDF-")


@pytest.mark.parametrize("folder", sorted(OLD.iterdir()), ids=lambda folder: folder.name)
def test_releases_of_earlier_versions_are_reported(folder: Path) -> None:
    board = sfumato.report(folder)
    assert board.code == 0
    Page(board.to_html()).require_accessible()


def test_a_release_is_reported_as_it_would_be_written(tmp_path: Path) -> None:
    for kind in KINDS:
        case = next(case for case in chosen(kind, 1) if hasattr(case.release, "write"))
        folder = written(case, tmp_path / kind)
        assert sfumato.report(case.release).to_html() == sfumato.report(folder).to_html()


PROGRAM = "import sfumato, sys; b = sfumato.report(sys.argv[1]); b.write('b.html'); b.write('b.pdf')"


def test_the_public_edition_is_a_function_of_the_directory_alone(tmp_path: Path) -> None:
    """The same bytes from a copy elsewhere, by another process in another environment, and by the command line."""
    case = next(case for case in chosen("mixed", 1) if hasattr(case.release, "write"))
    private = tmp_path / "private.json"
    case.release.write(tmp_path / "release", report=private, override=True)
    (tmp_path / "far").mkdir()
    copy = shutil.copytree(tmp_path / "release", tmp_path / "far" / "another name ü")
    os.utime(copy / "certificate.json", (1, 1))
    away = {
        "PYTHONPATH": str(Path(sfumato.__file__).parents[1]),
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Tokyo",
        "LC_ALL": "C",
        "HOME": str(tmp_path),
        "COLUMNS": "40",
    }
    words = [sys.executable, "-c", PROGRAM, str(copy)]
    ran = subprocess.run(words, cwd=tmp_path / "far", env=os.environ | away, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    for ending in ("html", "pdf"):
        sfumato.report(tmp_path / "release").write(tmp_path / f"a.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / "far" / f"b.{ending}").read_bytes()
    page = (tmp_path / "a.html").read_text()
    public = "".join(path.read_text() for path in sorted((tmp_path / "release").rglob("*.*")))
    hidden = [text for text in texts(json.loads(private.read_text())) if text not in public]
    assert len(hidden) > 3
    assert not [text for text in hidden if text in page]


def test_the_public_edition_is_the_same_for_originals_with_the_same_release(tmp_path: Path) -> None:
    """Nothing of the original is in it: two originals that are published alike are reported alike."""
    pages = []
    for number, (persons, spots) in enumerate((("pqr", (1, 0)), ("xyz", (9, 5)))):
        places = {"a": (0, 0), "b": spots}
        walks = sfumato.Trajectories.from_lists(["ab", "ab", "ab"], persons=list(persons), places=places)
        sfumato.SeqAnon(k=2, m=1).anonymize(walks, seed=number).write(tmp_path / f"{number}")
        pages.append(sfumato.report(tmp_path / f"{number}").to_html())
    assert pages[0] == pages[1]


def test_a_directory_that_was_tampered_with_is_called_so(tmp_path: Path) -> None:
    case = next(case for case in chosen("table", 1) if hasattr(case.release, "write"))
    folder = written(case, tmp_path / "release")
    (folder / "data.csv").write_text((folder / "data.csv").read_text() + "\n")
    (folder / "notes.txt").write_text("more")
    board = sfumato.report(folder)
    text = Page(board.to_html()).text
    assert board.code == 1
    assert "Something does not hold. Do not rely on this release." in text
    assert "notes.txt is not listed in the certificate" in text
    assert "The published data cannot be read" in text
    assert str(tmp_path) not in text


# --- the private edition ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_private_report_on_every_kind(kind: str, tmp_path: Path) -> None:
    slow = ("ngrams", "diffpart")  # the attack on membership runs them often
    for number, case in enumerate(chosen(kind, 1)):
        if not hasattr(case.release, "write") or case.release.method.name in slow:
            continue
        report = tmp_path / f"{number}.json"
        case.release.write(tmp_path / f"{number}", report=report, override=True)
        board = sfumato.report(tmp_path / f"{number}", original=case.original, report=report)
        assert board.private
        assert board.facts.unevaluated == "", case.name
        text = board.to_html()
        Page(text).require_accessible()
        assert text.count(PRIVATE) == 3
        assert "Within the promise" in text


def test_a_synthetic_release_says_so() -> None:
    case = next(case for case in chosen("transactions", 1) if case.name.endswith("diffpart"))
    text = Page(sfumato.report(case.release).to_html()).text
    assert "The published records are synthetic" in text
    assert "No published record belongs to a person" in text
    assert "Unique records" not in text


@pytest.fixture
def walks() -> sfumato.Trajectories:
    rows = ["dace", "baec", "ade", "bdec", "dc", "de"] * 2
    places = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
    names = [f"name-{number % 6}" for number in range(12)]
    ids = [f"secret-{number}" for number in range(12)]
    return sfumato.Trajectories.from_lists(rows, places=places, persons=names, ids=ids)


def test_the_private_edition_quotes_no_record_and_no_person(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    release = sfumato.SeqAnon(k=3, m=2).anonymize(walks)
    release.write(tmp_path / "release", report=tmp_path / "private.json")
    board = sfumato.report(tmp_path / "release", walks, tmp_path / "private.json")
    text = board.to_html()
    assert "secret-" not in text
    assert "name-" not in text
    assert "An attacker who knows the whole original record of a person finds the published one in" in text
    assert "(by guessing: " in text
    assert "other kinds of data" in text


def test_the_private_edition_is_readable_by_its_owner_alone(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    release = sfumato.SeqAnon(k=3, m=2).anonymize(walks)
    for original, mode in ((walks, 0o600), (None, 0o666 & ~_umask())):
        for ending in ("html", "pdf"):
            path = tmp_path / f"board.{ending}"
            sfumato.report(release, original).write(path)
            assert path.stat().st_mode & 0o777 == mode


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_no_edition_is_written_into_a_published_directory(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    """Not beside its files, not below them, and not by a link; a file there would also fail the next check."""
    release = sfumato.SeqAnon(k=3, m=2).anonymize(walks)
    folder = release.write(tmp_path / "release").path
    other = release.write(tmp_path / "other").path
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    (tmp_path / "board.html").symlink_to(folder / "board.html")
    places = [folder / "board.html", folder / "context" / "b.pdf", other / "b.html", tmp_path / "link" / "b.html"]
    (folder / "context").mkdir()
    for original in (None, walks):
        board = sfumato.report(folder, original)
        for path in (*places, tmp_path / "board.html"):
            with pytest.raises(OutputError, match=r"published|symbolic link"):
                board.write(path)
    assert not [path for path in tmp_path.rglob("*") if path.suffix in (".html", ".pdf") and path.is_file()]
    (folder / "context").rmdir()
    (folder / "board.html").write_text("written by hand")
    assert sfumato.verify(folder).problems == ("board.html is not listed in the certificate",)


def test_the_whole_record_is_counted_as_by_hand(tmp_path: Path) -> None:
    walks = sfumato.Trajectories.from_lists(["ab", "ab", "ac", "ca"], places={"a": (0, 0), "b": (1, 0), "c": (2, 0)})
    certificate = Certificate(kind="trajectories", unit="record", records={"published": 4}, **BARE)
    folder = directory.write(walks.published()[0], certificate, tmp_path / "release")
    text = Page(sfumato.report(folder).to_html()).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "finds it in 75 % of cases: 50 % of the published records are unique" in text  # 3 different of 4; 2 of 4


def test_a_ledger_lists_the_other_releases(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    ledger = tmp_path / "walks.ledger"
    for k in (3, 4):
        sfumato.SeqAnon(k=k, m=1).anonymize(walks).write(tmp_path / f"{k}", ledger=ledger, override=True)
    board = sfumato.report(tmp_path / "4", walks, ledger=ledger)
    text = Page(board.to_html()).text
    assert "This release is number 2 in the ledger" in text
    assert "The ledger lists 1 other release." in text
    assert "km(k=3, m=1)" in text
    grid = next(
        block
        for section in board.document.sections
        if section.key == "ledger"
        for block in section.blocks
        if hasattr(block, "rows")
    )
    assert grid.rows[0][4:6] == ("6", "6")
    assert sfumato.report(tmp_path / "4", ledger=ledger).private
    unknown = sfumato.SeqAnon(k=5, m=1).anonymize(walks).write(tmp_path / "5").path
    assert "This release is not in the ledger." in sfumato.report(unknown, ledger=ledger).to_html()


def test_the_report_of_the_run_adds_its_measures(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    release = sfumato.SeqAnon(k=3, m=2).anonymize(walks)
    figures = {"measures": {"displacement": 0.123456, "no-such-measure": 7.0}}
    release.write(tmp_path / "release", report=tmp_path / "private.json", figures=figures)
    board = sfumato.report(tmp_path / "release", report=tmp_path / "private.json")
    text = Page(board.to_html()).text
    assert board.private
    assert "0.1235" in text
    assert "no-such-measure" in text


def test_a_report_repeats_to_the_byte(walks: sfumato.Trajectories) -> None:
    release = sfumato.SeqAnon(k=3, m=2).anonymize(walks)
    first, second = (BoardReport(sfumato.report(release, walks).facts) for _ in range(2))
    assert first.to_html() == second.to_html()
    assert first.to_pdf() == second.to_pdf()


def test_what_was_collected_is_private_by_any_private_input(walks: sfumato.Trajectories, tmp_path: Path) -> None:
    folder = sfumato.SeqAnon(k=3, m=2).anonymize(walks).write(tmp_path / "release").path
    read = directory.read(folder)
    assert not collect(read).private
    assert collect(read, original=walks).private
