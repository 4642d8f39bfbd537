"""Promises as texts, and promises beside those of a method."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import Cluster, Coat, Table, Transactions, anonymize, verify
from sfumato.attacks import find_leaks
from sfumato.catalogue import MODELS, model_class
from sfumato.data import Policy
from sfumato.errors import ParameterError, PromiseBroken
from sfumato.methods.promise_texts import promise_of_text, text_of_promise
from sfumato.privacy import KAnonymity, LDiversity, PrivacyModel, TCloseness
from sfumato.privacy.base import with_promises

PEOPLE = Table({"age": [30, 30, 31, 31, 52, 52, 53, 53], "ill": list("abcdabcd")}, sensitive=("ill",))


@pytest.mark.parametrize("name", MODELS)
def test_a_text_is_read_as_the_promise_that_wrote_it(name: str) -> None:
    declared = model_class(name)
    values = {one.name: 0.5 if one.type is float else 3 for one in declared.parameters() if one.required}
    promise: PrivacyModel = declared.from_json(values)
    assert promise_of_text(text_of_promise(promise)) == promise
    assert promise_of_text(name, {key: str(value) for key, value in values.items()}) == promise


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("km:k=5,k=2,m=1", "km: wanted k once, found it twice"),
        ("km:k=five,m=1", "km: k must be a whole number of at least 2, got 'five'"),
        ("km:k", "km: wanted parameter=value, found 'k'"),
        ("kn:k=5", "no privacy model is called 'kn'"),
    ],
)
def test_refusals(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        promise_of_text(text)


def test_only_what_no_other_implies_is_added_in_a_fixed_order() -> None:
    more = [TCloseness(t=0.5), LDiversity(l=2), LDiversity(l=3), KAnonymity(k=2)]
    assert with_promises((KAnonymity(k=3),), more) == with_promises((KAnonymity(k=3),), more[::-1])
    assert with_promises((KAnonymity(k=3),), more) == (KAnonymity(k=3), LDiversity(l=3), TCloseness(t=0.5))


def test_a_further_promise_is_a_guarantee_of_the_certificate(tmp_path: Path) -> None:
    release = anonymize(PEOPLE, "cluster", k=2, seed=1, promises=["l-diversity:l=2", KAnonymity(k=2)])
    assert [model for model, _ in release.verdicts] == [KAnonymity(k=2), LDiversity(l=2)]
    out = release.write(tmp_path / "release").path
    assert verify(out).holds
    assert list(find_leaks(out, PEOPLE)) == []
    broken = Cluster(k=2).anonymize(PEOPLE, seed=1, promises=[LDiversity(l=4)])
    assert not broken.holds
    with pytest.raises(PromiseBroken):
        broken.write(tmp_path / "other")
    assert not (tmp_path / "other").exists()


def test_a_promise_that_no_run_states_is_a_leak(tmp_path: Path) -> None:
    """A second guarantee that the first implies could carry anything in its parameters."""
    out = anonymize(PEOPLE, "cluster", k=3, seed=1, promises=[LDiversity(l=2)]).write(tmp_path / "release").path
    path = out / "certificate.json"
    certificate = json.loads(path.read_text())
    weaker = json.loads(json.dumps(certificate["guarantees"][0]))
    weaker["parameters"]["k"] = 2
    certificate["guarantees"].append(weaker)
    path.write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    assert any("guarantees that are not the method's" in leak.sentence for leak in find_leaks(out, PEOPLE))


def test_a_policy_of_all_sets_is_stated_as_km(tmp_path: Path) -> None:
    baskets = Transactions.from_lists([["a", "b"], ["a", "b"], ["a", "c"], ["b", "c"], ["c", "d"]] * 2)
    protected = baskets.with_policies(privacy=Policy(size=2))
    release = Coat(k=3).anonymize(protected, seed=1)
    assert [model.name for model, _ in release.verdicts] == ["policy", "km"]
    out = release.write(tmp_path / "release").path
    assert verify(out, original=protected).holds
    assert list(find_leaks(out, protected)) == []
    listed = Coat(k=3).anonymize(baskets.with_policies(privacy=Policy([["a", "b"]])), seed=1)
    assert [model.name for model, _ in listed.verdicts] == ["policy"]
