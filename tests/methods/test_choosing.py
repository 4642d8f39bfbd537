"""The questions that lead to a promise: every privacy model is reached, and every example keeps its promise."""

from __future__ import annotations

import json

import pytest

from sfumato.catalogue import METHODS, MODELS
from sfumato.methods.choosing import WHICH_PROMISE, Choice

CHOICES = list(WHICH_PROMISE.choices())


def test_every_privacy_model_is_reached() -> None:
    assert {choice.model for choice in CHOICES} == set(MODELS.built_in)


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: f"{choice.model}-{choice.method}")
def test_the_method_of_a_choice_keeps_the_promise(choice: Choice) -> None:
    method = METHODS.load(choice.method)(**choice.parameters)
    assert choice.model in {model.name for model in method.guarantees}


def test_a_choice_is_described_once() -> None:
    assert len({choice.attacker for choice in CHOICES}) == len(CHOICES)
    assert len({(choice.model, choice.method) for choice in CHOICES}) == len(CHOICES)


def test_the_questions_are_json() -> None:
    tree = json.loads(json.dumps(WHICH_PROMISE.to_json()))
    chosen = tree["answers"]["A drive along roads"]["answers"]["Finding a trip that few people made"]
    assert chosen["promise"] == "strict-k"
    assert (chosen["method"], chosen["parameters"]) == ("icba", {"k": 10})
