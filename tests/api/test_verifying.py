"""`sfumato.verify`: directories, releases, and promises about any data."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.walks import walks, walks_file
from sfumato import Table, anonymize, verify
from sfumato.errors import CallerError, ParameterError
from sfumato.privacy import KAnonymity, KmAnonymity


def test_a_directory_a_release_and_a_promise_about_data(tmp_path: Path) -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    folder = release.write(tmp_path / "out")
    for check in (
        verify(folder),
        verify(folder, original=walks()),
        verify(release),
        verify(release.data, KmAnonymity(k=2, m=2)),
        verify(release.to_pandas().astype({"trajectory": str}), KmAnonymity(k=2, m=2)),
    ):
        assert check.holds
        assert check.to_polars()["holds"].to_list() == [True]
        assert "everything that is claimed holds" in check._repr_html_()
    assert verify(walks_file(tmp_path), KmAnonymity(k=2, m=2)).code == 1


def test_a_file_behind_a_table_does_not_confirm_its_roles(tmp_path: Path) -> None:
    people = Table({"age": [30, 30, 40, 40], "town": ["a", "a", "b", "b"]}, quasi_identifiers=("age",))
    folder = anonymize(people, "incognito", k=2).write(tmp_path / "out")
    (tmp_path / "people.csv").write_text("age,town\n30,a\n30,a\n40,b\n40,b\n")
    assert verify(folder, original=people).code == 0
    assert verify(folder, original=tmp_path / "people.csv").code == 3
    assert verify(people, KAnonymity(k=2)).holds


def test_synthetic_data_are_checked_by_the_ledger_of_their_run() -> None:
    release = anonymize(walks(), "ngrams", epsilon=1.0, seed=1)
    assert verify(release).holds


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(CallerError, match="data without a certificate state no promise"):
        verify(walks())
    with pytest.raises(CallerError, match="data without a certificate state no promise"):
        verify(walks_file(tmp_path))
    with pytest.raises(CallerError, match="the private report needs a published directory"):
        verify(walks(), KmAnonymity(k=2, m=2), report="r.json")


def test_a_promise_by_its_name(tmp_path: Path) -> None:
    assert verify(walks(), "km", k=2, m=1).code == verify(walks(), KmAnonymity(k=2, m=1)).code
    with pytest.raises(ParameterError, match="did you mean 'km'"):
        verify(walks(), "kmm", k=2, m=1)
    with pytest.raises(ParameterError, match="km has its parameters already; leave 'k' out"):
        verify(walks(), KmAnonymity(k=2, m=1), k=2)
    with pytest.raises(ParameterError, match="'k' belongs to a promise"):
        verify(anonymize(walks(), "seqanon", k=2, m=2).write(tmp_path / "out"), k=2)
