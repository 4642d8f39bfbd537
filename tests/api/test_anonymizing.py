"""`sfumato.anonymize`: a method by its name or as an object, on whatever holds the data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.walks import PLACES, walks, walks_file
from sfumato import Places, SeqAnon, anonymize
from sfumato.catalogue import METHODS, method_class
from sfumato.errors import DataError, ParameterError


def test_by_name_and_as_an_object_are_the_same(tmp_path: Path) -> None:
    expected = SeqAnon(k=2, m=2).anonymize(walks(), seed=1).to_polars()
    assert anonymize(walks(), "seqanon", k=2, m=2, seed=1).to_polars().equals(expected)
    assert anonymize(walks(), SeqAnon(k=2, m=2), seed=1).to_polars().equals(expected)
    assert anonymize(walks_file(tmp_path), "seqanon", k=2, m=2).to_polars().equals(expected)


def test_a_frame_brings_its_coordinates() -> None:
    where = Places.from_frame({"location": list(PLACES), "x": [x for x, _ in PLACES.values()], "y": [0.0] * 5})
    frame = walks().to_pandas().merge(where.frame.to_pandas(), on="location", how="left")
    assert anonymize(frame, "seqanon", k=2, m=1).holds


def test_refusals() -> None:
    with pytest.raises(ParameterError, match="no method is called 'seqannon'; did you mean 'seqanon'"):
        anonymize(walks(), "seqannon", k=2, m=2)
    with pytest.raises(ParameterError, match="seqanon has its parameters already; leave 'k' out"):
        anonymize(walks(), SeqAnon(k=2, m=2), k=3)  # type: ignore[call-overload]
    with pytest.raises(DataError, match="incognito: wanted table, got trajectories"):
        anonymize(walks(), "incognito", k=2)


def test_no_method_has_a_parameter_that_the_function_takes_itself() -> None:
    for name in METHODS:
        own = {parameter.name for parameter in method_class(name).parameters()}
        assert not own & {"data", "method", "seed", "progress"}


def test_a_release_shows_itself() -> None:
    shown = anonymize(walks(), "seqanon", k=2, m=2)._repr_html_()
    assert "<td>k^m-anonymity(k=2, m=2)</td><td>True</td>" in shown
    assert shown.count("not covered: ") == 3
    assert "<b>Release by" in shown


def test_a_release_as_json_is_its_certificate() -> None:
    release = anonymize(walks(), "seqanon", k=2, m=2)
    assert json.loads(json.dumps(release.to_json())) == release.certificate().to_json()
