"""Certificates of other packages: what has the form of an honest one is no leak, and nothing else may hide in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outside import WellVisited
from sfumato import SeqAnon, Trajectories
from sfumato.attacks.leaks.foreign import foreign_guarantee, foreign_limits, known_sentences
from sfumato.attacks.leaks.search import find_leaks
from sfumato.errors import FileError
from sfumato.io.published.certificate import Guarantee
from sfumato.privacy.km import KmAnonymity
from sfumato.verification import verify

PEOPLE = ["annabel", "benedict", "caroline"]
GUARANTEE = {
    "model": "visited",
    "parameters": {"k": 2},
    "verdict": {"holds": True, "checked_from": "files", "measured": {"smallest_number": 2}, "witnesses": []},
}


@pytest.fixture
def walks() -> Trajectories:
    return Trajectories.from_lists([["a", "b"], ["a"], ["a", "b"]], persons=PEOPLE)


@pytest.fixture
def out(tmp_path: Path, walks: Trajectories) -> Path:
    return WellVisited(k=2).anonymize(walks).write(tmp_path / "out")


def change(out: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    path = out / "certificate.json"
    certificate = json.loads(path.read_text())
    edit(certificate)
    path.write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")


def refused(out: Path) -> bool:
    """Whether the certificate is outside its schema, which ends every command with a sentence."""
    try:
        find_leaks(out)
    except FileError as refusal:
        return "certificate.json: wanted" in str(refusal)
    return False


def test_an_honest_release_has_no_leak(out: Path, walks: Trajectories) -> None:
    assert find_leaks(out, walks, derived=True) == []
    assert verify(out).code == verify(out, original=walks).code == 3


@pytest.mark.parametrize(
    "edit",
    [
        lambda one: one.update(seed=3),
        lambda one: one.update(method="Well Visited"),
        lambda one: one["parameters"].update(hidden="x" * 50),
        lambda one: one["parameters"].update(hidden=["x"]),
        lambda one: one["guarantees"][0].update(note="x"),
        lambda one: one["guarantees"][0]["parameters"].update(hidden={"x": 1}),
        lambda one: one["guarantees"][0]["verdict"].update(checked_from="somewhere"),
        lambda one: one["guarantees"][0]["verdict"]["measured"].update(hidden=[1, 2]),
        lambda one: one["not_covered"].append("x"),
        lambda one: one["not_covered"].append({"key": "x", "text": "x" * 700}),
        lambda one: one["not_covered"].append({"key": "x", "text": "x", "more": "x"}),
        lambda one: one["not_covered"].append(one["not_covered"][0]),
    ],
)
def test_what_no_honest_release_has_is_a_leak(out: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    change(out, edit)
    assert refused(out) or find_leaks(out)


@pytest.mark.parametrize(
    "edit",
    [
        lambda one: one["not_covered"].append({"key": "x", "text": "what annabel did"}),
        lambda one: one["parameters"].update(who="benedict"),
        lambda one: one["guarantees"][0]["parameters"].update(who="caroline"),
    ],
)
def test_a_private_name_is_found(out: Path, walks: Trajectories, edit: Callable[[dict[str, Any]], Any]) -> None:
    change(out, edit)
    assert "private name" in " ".join(leak.what for leak in find_leaks(out, walks))


def test_known_promises_keep_their_limits(tmp_path: Path) -> None:
    """Somebody else's method that promises a built-in model says what that does not cover."""
    walks = Trajectories.from_lists([["a"], ["a"]], places={"a": (0, 0)})
    out = SeqAnon(k=2, m=1).anonymize(walks).write(tmp_path / "out")
    change(out, lambda one: one.update(method="foreign"))
    assert find_leaks(out) == []
    assert verify(out).code == 3
    change(out, lambda one: one["not_covered"].append({"key": "mine", "text": "something else"}))
    assert find_leaks(out) == []
    change(out, lambda one: one["not_covered"].pop(0))
    assert [leak.what for leak in find_leaks(out)] == [
        "sentences under 'not_covered' that are not the limits of the promises"
    ]


def test_the_form_of_a_guarantee() -> None:
    honest = Guarantee(**GUARANTEE)
    assert foreign_guarantee(honest) == honest
    beyond = replace(honest, beyond={"known": 2})
    assert foreign_guarantee(beyond) == beyond
    assert foreign_guarantee(replace(honest, model="km")) is None, "a built-in model is checked, not believed"
    assert foreign_guarantee(replace(honest, model="os:system")) is None
    assert foreign_guarantee(replace(honest, beyond={"hidden": ["x"]})) is None
    assert foreign_guarantee(replace(honest, verdict={**honest.verdict, "reason": "x" * 700})) is None


def test_the_form_of_limits() -> None:
    limits = KmAnonymity.not_covered
    said = [limit.to_json() for limit in limits]
    assert foreign_limits(said, limits, words=True)
    other = [{**one, "text": "other words"} for one in said]
    assert foreign_limits(other, limits, words=False)
    assert not foreign_limits(other, limits, words=True)
    assert not foreign_limits("x", limits, words=False)
    assert str(limits[0]) in known_sentences()
