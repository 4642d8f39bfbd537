"""Decimal parameters are read by their digits, in every promise alike."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import sfumato
from datasets import PLACES
from sfumato import Coat, Policy, Table, Taxonomy, Trajectories, Transactions
from sfumato.errors import Infeasible
from sfumato.params import exact
from sfumato.privacy import CSafety, Epsilon, PolicyProtection, ProjectionSafety, TCloseness
from sfumato.privacy.noise.budget import PrivacyBudget

TREE = Taxonomy({"all": None, "bar": "all", "clinic": "all", "other": "all"}, sensitive=["clinic", "other"])
BELOW, ABOVE = 1 / 3, 0.3333333333333334  # the digits of the first are a little less than a third


@pytest.mark.parametrize(("number", "stands_for"), [(0.1, "1/10"), (0.3, "3/10"), (1.0, "1"), (1e-7, "1/10000000")])
def test_digits_are_what_counts(number: float, stands_for: str) -> None:
    assert exact(number) == Fraction(stands_for)


def test_a_third_of_them_is_above_a_third_in_digits_for_every_promise() -> None:
    walks = Trajectories.from_lists([["bar", "clinic"], ["bar"], ["bar"]], taxonomy=TREE)
    owned = Trajectories.from_lists(["ac", "a", "a", "c", "c"], places=PLACES)
    table = Table({"age": [1, 1, 1, 2, 2, 2], "ill": list("aabbba")}, quasi_identifiers=["age"], sensitive=["ill"])
    for limit, holds in ((BELOW, False), (ABOVE, True)):
        assert CSafety(c=limit).check(walks).holds is holds
        assert ProjectionSafety(threshold=limit).check(owned).holds is holds
    sixth = TCloseness(t=1 / 6).check(table)
    assert sixth.holds is False  # 0.16666666666666666 is less than a sixth
    assert TCloseness(t=0.16666666666666669).check(table).holds is True


def test_what_may_be_suppressed_is_a_share_by_its_digits() -> None:
    """One item of three has to go: the method and its verifier agree on a third."""
    policy = Policy([["rare"]])
    items = Transactions.from_lists([["rare"], ["a", "b"], ["a", "b"]]).with_policies(
        policy, utility=Policy([["a"], ["b"], ["rare"]])
    )
    with pytest.raises(Infeasible):
        Coat(k=2, suppression=BELOW).anonymize(items)
    release = Coat(k=2, suppression=ABOVE).anonymize(items)
    assert release.holds is True
    assert PolicyProtection(k=2, suppression=BELOW).check(release.data, items).holds is False


def test_noise_is_drawn_for_the_epsilon_that_is_certified() -> None:
    ledger = PrivacyBudget(seed=1)
    data = Trajectories.from_lists([["a"]])
    ledger.open(data, records=np.array([0]), epsilon=0.1, at_most=1)
    ledger.split(np.array([0]), np.array([0]), sizes=np.array([1]), shares=ledger.remaining(np.array([0])))
    assert ledger._rate(1 << 40) == Fraction(1, 10)
    assert Epsilon(epsilon=0.1).check_spends(ledger.spends).holds is True


def test_one_function_reads_decimals() -> None:
    """Nowhere else is a parameter made a fraction."""
    names = "c|t|threshold|epsilon|_epsilon|support|suppression|delta"
    other = re.compile(rf"Fraction\((str|repr|float)\(|Fraction\(self\.({names})\b")
    root = Path(sfumato.__file__).parent
    found = [path.name for path in sorted(root.rglob("*.py")) if other.search(path.read_text())]
    assert found == ["params.py"]
