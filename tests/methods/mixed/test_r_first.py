"""RFIRST: the clusters of the relational method, each recoded by itself."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_people import people
from sfumato import Cluster, RFirst
from sfumato.attacks.promises.inferences import attack_diverse_items
from sfumato.attacks.view.setting import AttackSetting
from sfumato.errors import Infeasible
from sfumato.privacy.checks.mixed_classes import class_of_rows


def test_the_rows_are_those_of_the_relational_method() -> None:
    data = people(60)
    rows = RFirst(k=4, m=2).anonymize(data, seed=3).data.table
    alone = Cluster(k=4).anonymize(data.table, seed=3).data
    assert sorted(rows.frame["town"].to_list()) == sorted(alone.frame["town"].to_list())


def test_a_coarse_method_is_refined_within_its_classes() -> None:
    """A class of Incognito whose rows agree further is published under the closer label."""
    release = RFirst(k=4, m=2, relational="incognito").anonymize(people(60), seed=3)
    assert release.holds
    assert release.counts["suppressed_records"] == 0


def test_a_cluster_that_tells_a_secret_is_merged() -> None:
    data = people(60, items=1).with_sensitive(["hiv"])
    plain = RFirst(k=3, m=1).anonymize(data, seed=1)
    diverse = RFirst(k=3, m=1, l=4).anonymize(data, seed=1)
    assert diverse.holds
    assert plain.counts["merges"] == 0 < diverse.counts["merges"]


def test_suppressed_rows_stay_suppressed() -> None:
    release = RFirst(k=6, m=1, relational={"method": "incognito", "suppression": 0.3}).anonymize(people(60), seed=1)
    assert release.holds
    assert len(release.data) + release.counts["suppressed_records"] == 60


def test_a_secret_of_too_many_is_refused() -> None:
    with pytest.raises(Infeasible, match=r"^r-first: k and l are too large for these data"):
        RFirst(k=2, m=1, l=9).anonymize(people(30).with_sensitive(["flu"]))


def test_a_person_is_in_one_cluster_where_secrets_are_to_be_diverse() -> None:
    """Clusters with overlapping ranges that share a person are not safe together, even if each is by itself."""
    data = people(80, persons=30, items=1).with_sensitive(["hiv"])
    for relational in ("cluster", "incognito", "top-down"):
        release = RFirst(k=2, m=1, l=2, relational=relational).anonymize(data, seed=1)
        assert release.holds
        assert release.persons is not None
        who, number = release.persons.codes, class_of_rows(release.data.table)
        assert len({*zip(who.tolist(), number.tolist(), strict=True)}) == len(np.unique(who))
        assert len(np.unique(number)) > 1


def test_what_the_promise_allows_does_not_break_it() -> None:
    """The attack looks at all classes that fit a target, by persons."""
    for chance in range(6):
        data = people(60, chance=chance, persons=30, items=1).with_sensitive(["hiv"])
        release = RFirst(k=2, m=1, l=2).anonymize(data, seed=1)
        results = attack_diverse_items(AttackSetting.of(data, release), release.method.guarantees[0], 0, None)
        assert not any(result.beaten for result in results)
