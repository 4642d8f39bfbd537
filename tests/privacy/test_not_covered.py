"""The limits of privacy models: each model names them, and the most important ones come first."""

from __future__ import annotations

import pytest

from sfumato.catalogue import MODELS, model_class
from sfumato.privacy import Epsilon, KmAnonymity, LDiversity, ProjectionSafety, TCloseness
from sfumato.privacy import not_covered as limits

# a larger k makes fewer roads busy, so that neither promise keeps the other
UNDIRECTED = ("inference-route",)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_names_what_it_does_not_cover(name: str) -> None:
    sentences = model_class(name).not_covered
    assert len(set(sentences)) == len(sentences) >= 5
    for sentence in sentences:
        assert sentence[0].islower(), "a sentence goes into a list"
        assert not sentence.endswith(".")
        assert "  " not in sentence, "parts of a sentence are joined by one blank"


@pytest.mark.parametrize("name", MODELS)
def test_other_releases_are_nobody_s_promise(name: str) -> None:
    said = " ".join(model_class(name).not_covered)
    assert limits.COMPOSITION in said or "several releases about the same people" in said


@pytest.mark.parametrize("name", [name for name in MODELS if name != "epsilon"])
def test_a_promise_about_the_output_alone_says_that_the_choice_of_labels_may_tell(name: str) -> None:
    assert "minimality" in " ".join(model_class(name).not_covered)


@pytest.mark.parametrize("name", [name for name in MODELS if "m" in {p.name for p in model_class(name).parameters()}])
def test_whoever_counts_pieces_names_one_piece_more_and_what_is_not_there(name: str) -> None:
    said = " ".join(model_class(name).not_covered)
    assert "more than m" in said
    assert "not hold" in said or "never at a place" in said or "not have" in said


def test_identity_and_attribute_disclosure_are_limits_of_each_other() -> None:
    assert "in-common" in {limit.key for limit in KmAnonymity.not_covered}
    assert "who-is-who-values" in {limit.key for limit in LDiversity.not_covered}
    assert "who-is-who-classes" in {limit.key for limit in TCloseness.not_covered}
    assert "elimination" in {limit.key for limit in ProjectionSafety.not_covered}
    assert limits.MINIMALITY not in Epsilon.not_covered


def test_a_stronger_promise_keeps_the_weaker_one() -> None:
    assert KmAnonymity(k=5, m=2).implies(KmAnonymity(k=5, m=2))
    assert KmAnonymity(k=6, m=3).implies(KmAnonymity(k=5, m=2))
    assert not KmAnonymity(k=6, m=1).implies(KmAnonymity(k=5, m=2))
    assert TCloseness(t=0.1).implies(TCloseness(t=0.2))
    assert not TCloseness(t=0.3).implies(TCloseness(t=0.2))
    assert not TCloseness(t=0.1, distance="ordered").implies(TCloseness(t=0.2)), "a choice has no direction"
    assert not LDiversity(l=3).implies(TCloseness(t=0.2))
    assert ProjectionSafety(threshold=0.4, collude="A,B").implies(ProjectionSafety(threshold=0.5, collude="A,B"))
    assert not ProjectionSafety(threshold=0.4).implies(ProjectionSafety(threshold=0.5, collude="A,B"))


@pytest.mark.parametrize("name", MODELS)
def test_every_number_of_a_promise_says_which_way_is_stronger(name: str) -> None:
    for parameter in model_class(name).parameters():
        directed = parameter.type in (int, float) and name not in UNDIRECTED
        assert (parameter.stronger is not None) is directed, parameter.name


@pytest.mark.parametrize("name", MODELS)
def test_the_most_important_limits_come_first(name: str) -> None:
    model = model_class(name)
    listed = [*model.not_covered, model.by_record]
    first = limits.most_important(listed)
    assert len(first) == 3
    assert max(limit.rank for limit in first) <= min(limit.rank for limit in listed if limit not in first)
    assert model.by_record in first, "k records of one person protect no one"
    assert limits.most_important([*listed, limits.OVERRIDDEN])[0] is limits.OVERRIDDEN


def test_a_key_stands_for_one_sentence() -> None:
    texts: dict[str, str] = {}
    for name in MODELS:
        model = model_class(name)
        for limit in (*model.not_covered, model.by_record, *([model.seeded] if model.seeded else [])):
            assert texts.setdefault(limit.key, str(limit)) == str(limit), (name, limit.key)
    assert len(set(texts.values())) == len(texts), "and a sentence has one key"
