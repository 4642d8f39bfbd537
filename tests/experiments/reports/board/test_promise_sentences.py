"""Every privacy model has a plain sentence that names its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import Any, ClassVar

import pytest

from sfumato.catalogue import MODELS, model_class
from sfumato.experiments.reports.board.promise_sentences import SENTENCES, promise_sentence
from sfumato.params import param
from sfumato.privacy import PrivacyModel, Verdict

VALUES: dict[str, Any] = {"k": 17, "m": 3, "l": 7, "c": 0.35, "t": 0.15, "threshold": 0.45, "epsilon": 0.5}
OTHERS = {"suppression": 0.25, "collude": "A,B", "variant": "entropy", "distance": "ordered"}


def test_no_model_is_forgotten() -> None:
    assert set(SENTENCES) == set(MODELS.built_in)


@pytest.mark.parametrize("name", MODELS.built_in)
@pytest.mark.parametrize("unit", ["person", "record"])
def test_a_sentence_names_every_parameter(name: str, unit: str) -> None:
    declared = model_class(name)
    values = {one.name: (VALUES | OTHERS)[one.name] for one in declared.parameters()}
    sentence = promise_sentence(declared(**values), unit=unit, kind=declared.kinds[0])
    words = {"collude": "A,B", "variant": "entropy", "distance": "distance", "epsilon": f"{exp(0.5):.3g}"}
    for parameter, value in values.items():
        shares = {f"{100 * value:g} %", f"{value:g}"} if isinstance(value, float) else {str(value)}
        assert any(text in sentence for text in {words.get(parameter, ""), *shares} - {""}), parameter
    assert sentence.endswith((".", ")."))
    assert sentence[0].isupper()


def test_one_known_visit_is_singular() -> None:
    sentence = promise_sentence(model_class("km")(k=5, m=1), unit="person", kind="trajectories")
    assert "up to 1 visit of a person" in sentence


def test_a_weak_epsilon_is_called_weak() -> None:
    assert "weak" in promise_sentence(model_class("epsilon")(epsilon=5), unit="person", kind="trajectories")


@dataclass(frozen=True, kw_only=True)
class Visited(PrivacyModel):
    """Every published place is visited by
    at least k.

    Notes follow."""

    name: ClassVar[str] = "well-visited"
    title: ClassVar[str] = "well-visited places"
    kinds: ClassVar[tuple[str, ...]] = ("trajectories",)
    not_covered: ClassVar[tuple[Any, ...]] = ()
    k: int = param(at_least=1, help="visits")

    def check(self, published: Any, original: Any = None) -> Verdict:  # noqa: ARG002
        return Verdict(True, "files")


def test_a_model_of_another_package_has_the_sentence_of_its_docstring() -> None:
    sentence = promise_sentence(Visited(k=4), unit="record", kind="trajectories")
    assert sentence == "well-visited places(k=4): Every published place is visited by at least k."
