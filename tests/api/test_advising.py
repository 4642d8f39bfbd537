"""`sfumato.advise`: a promise by its name or as an object."""

from __future__ import annotations

import json

import pytest

from api.walks import walks
from sfumato import advise
from sfumato.errors import ParameterError
from sfumato.privacy import KmAnonymity


def test_by_name_and_as_an_object() -> None:
    by_name = advise(walks(), "km", ["generalized"], k=2, m=1, seconds=120, jobs=1)
    by_object = advise(walks(), KmAnonymity(k=2, m=1), ["generalized"], seconds=120, jobs=1)
    assert by_name.recommended is not None
    assert by_object.recommended is not None
    assert by_name.recommended.name == by_object.recommended.name
    assert by_name.to_pandas().shape == by_name.to_polars().shape
    assert json.loads(json.dumps(by_name.to_json()))["promise"] == "km"
    assert by_name.sentences[0] in by_name._repr_html_()
    assert "hconcat" in by_name.chart().to_dict()


def test_parameters_go_with_a_name() -> None:
    with pytest.raises(ParameterError, match="km has its parameters already; leave 'k' out"):
        advise(walks(), KmAnonymity(k=2, m=1), k=2)
