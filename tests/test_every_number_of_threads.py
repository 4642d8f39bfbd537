"""The number of threads changes no output: every method, verifier, attack and measure of the catalogue.

Work is divided although the data are small: what one thread does at least is set to nearly nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from datasets import build
from random_releases import KINDS, Case, cases
from sfumato.attacks.attack_report import attack_data, attack_releases
from sfumato.attacks.audit.audit import Audit
from sfumato.catalogue import METHODS
from sfumato.data import query_index
from sfumato.data.ragged import Ragged
from sfumato.errors import CallerError
from sfumato.experiments.evaluation import evaluate
from sfumato.kernels.recoding import pattern_counts
from sfumato.kernels.verify.prefixes import divided
from sfumato.methods import Method, Release
from sfumato.methods.transactions import verpart
from sfumato.threads import use_threads
from sfumato.verification import verify

NUMBERS = (1, 2, 3)


@pytest.fixture(autouse=True)
def _divided(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (divided, pattern_counts):
        for name in ("_RECORDS", "_EMBEDDINGS", "_VISITS", "_SLOTS"):
            monkeypatch.setattr(module, name, 3, raising=False)
    monkeypatch.setattr(query_index, "_ELEMENTS", 1)
    monkeypatch.setattr(verpart, "_AT_ONCE", 1)


def some_cases(kind: str) -> list[Case]:
    """One release by each method, and one made by hand, of data with and without persons."""
    chosen = {}
    for case in cases(kind):
        name = case.release.method.name if isinstance(case.release, Release) else "by hand"
        chosen.setdefault((name, case.original.persons is None), case)
    return list(chosen.values())


def same(work: Callable[[], Any]) -> Any:
    """What comes out, as text; the same with any number of threads."""
    seen = []
    for number in NUMBERS:
        with use_threads(number):
            try:
                seen.append(json.dumps(work(), default=str))
            except CallerError as refusal:
                seen.append(str(refusal))
    assert seen[1:] == seen[:1] * 2
    return seen[0]


@pytest.mark.parametrize("kind", KINDS)
def test_methods_and_their_verifiers(kind: str) -> None:
    tried = set()
    for case in some_cases(kind):
        if isinstance(case.release, Release):
            method: Method[Any] = case.release.method
            same(lambda method=method, case=case: _outcome(method.anonymize(case.original, seed=7)))
            tried.add(method.name)
    assert tried


def _outcome(release: Release[Any]) -> list[Any]:
    frame = release.data.to_polars().rows()
    return [frame, release.certificate().to_json(), release.counts, release.origin is None or release.origin.tolist()]


@pytest.mark.parametrize("kind", KINDS)
def test_measures(kind: str) -> None:
    for case in some_cases(kind):
        same(lambda case=case: evaluate(case.original, case.release).to_json())


@pytest.mark.parametrize("kind", KINDS)
def test_attacks(kind: str) -> None:
    original = cases(kind)[0].original
    same(lambda: attack_data(original, seed=3).to_json())
    if isinstance(original, Ragged):
        same(lambda: Audit(known=2).run(original, seed=3).to_json())
        same(lambda: Audit(known=2, budget=40).run(original, seed=3).to_json())
    for case in some_cases(kind)[:4]:
        release = case.release if isinstance(case.release, Release) else case.release.data
        same(lambda case=case, release=release: attack_releases(case.original, [release], seed=3).to_json())


def test_published_directories(tmp_path: Any) -> None:
    rows = [["a", "b", "c"], ["a", "b"], ["b", "c"], ["a", "c"], ["c", "a"], ["b", "a", "c"]] * 4
    for name in ("seqanon", "km-suppress", "apriori"):
        method = METHODS.choose(name)
        data = build(method.kind, rows)
        release = method(k=2, m=2).anonymize(data)
        release.write(tmp_path / name)
        for original in (None, data):
            text = same(lambda name=name, original=original: verify(tmp_path / name, original=original).to_json())
            assert json.loads(text)["problems"] == []
