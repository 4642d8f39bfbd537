"""`sfumato.report`: a release, a directory, originals of several shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato
from api.walks import walks, walks_file
from sfumato.errors import CallerError, FileError, OutputError
from sfumato.experiments.reports.board.board_report import BoardReport


def test_a_release_or_a_directory(tmp_path: Path) -> None:
    release = sfumato.anonymize(walks(), "seqanon", k=2, m=1)
    folder = release.write(tmp_path / "release")
    made = [sfumato.report(source) for source in (release, folder, str(folder), sfumato.io.published.read(folder.path))]
    assert all(isinstance(board, BoardReport) for board in made)
    assert len({board.to_html() for board in made}) == 1
    assert repr(made[0]).startswith("<BoardReport: public edition, 9 sections")
    assert "Public edition" in made[0]._repr_html_()


def test_an_original_as_a_dataset_or_a_file(tmp_path: Path) -> None:
    release = sfumato.anonymize(walks(), "seqanon", k=2, m=1)
    folder = release.write(tmp_path / "release", report=tmp_path / "private.json").path
    by_data = sfumato.report(folder, walks(), tmp_path / "private.json")
    assert by_data.private
    assert 'sfumato.verify("DIRECTORY", original=..., report=...)' in by_data.document.sections[3].blocks[-3].lines[0]
    assert "Private" in by_data._repr_html_()
    by_file = sfumato.report(folder, original=walks_file(tmp_path))
    assert by_file.private
    assert by_file.code == 0


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(CallerError, match="wanted a published directory or a release"):
        sfumato.report(walks())  # type: ignore[arg-type]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match=r"certificate\.json"):
        sfumato.report(tmp_path / "empty")
    board = sfumato.report(sfumato.anonymize(walks(), "seqanon", k=2, m=1))
    with pytest.raises(OutputError, match=r"ends in .html or .pdf"):
        board.write(tmp_path / "board.docx")


def test_a_release_whose_promise_does_not_hold_is_reported_as_such() -> None:
    from dataclasses import replace

    from sfumato import Verdict

    release = sfumato.anonymize(walks(), "seqanon", k=2, m=1)
    broken = replace(release, verdicts=tuple((model, Verdict(False, "files")) for model, _ in release.verdicts))
    board = sfumato.report(broken)
    assert board.code == 1
    assert "The release was written although a promise did not hold." in board.to_html()
