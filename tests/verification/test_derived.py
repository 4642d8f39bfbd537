"""What a rule computed from private data: never published, named in the certificate, computed again by a verifier."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato import (
    Cast,
    Coat,
    Gsup,
    Incognito,
    Pcta,
    Places,
    Policy,
    Table,
    Taxonomy,
    TopDown,
    Trajectories,
    Transactions,
    verify,
)
from sfumato.attacks import find_leaks
from sfumato.io.published import directory as published
from sfumato.methods.derived_context import without_suppressed_members
from sfumato.prepare import TimeSlots, place_taxonomy
from sfumato.prepare.policies import every_set, frequent_sets, policy_of_rule, rare_sets, siblings

BASKETS = Transactions.from_lists(["abc", "ab", "ab", "ac", "bc", "bc", "ad", "abd", "b", "c"])


def everything(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("method", [Coat, Pcta])
@pytest.mark.parametrize("policy", [rare_sets(BASKETS, 2, 3), frequent_sets(BASKETS, 1, 5)], ids=["rare", "frequent"])
def test_a_derived_policy_is_named_by_its_rule_and_not_published(method: Any, policy: Policy, tmp_path: Path) -> None:
    data = BASKETS.with_policies(policy)
    release = method(k=3, suppression=1).anonymize(data)
    out = release.write(tmp_path / "out")
    certificate = json.loads((out / "certificate.json").read_text())
    assert certificate["policy"] == {"privacy_policy": policy.rule}
    assert not (out / "context").exists()
    verdict = certificate["guarantees"][0]["verdict"]
    assert (verdict["checked_from"], verdict["measured"], verdict["witnesses"]) == ("original", {}, [])
    assert published.read(out).data.privacy_policy == Policy(rule=policy.rule)
    assert find_leaks(out, data, derived=True) == []
    assert verify(out, original=data).code == 0
    check = verify(out, original=BASKETS)
    assert check.verdicts[0][1].holds is True, "the rule is computed again"
    assert check.code == 3, "but the rule is the release's own"


def test_without_the_original_all_sets_of_the_size_suffice_or_it_stays_open(tmp_path: Path) -> None:
    alike = Transactions.from_lists(["ab"] * 4 + ["cd"] * 4 + ["a"])
    strong = Coat(k=3, suppression=1).anonymize(alike.with_policies(rare_sets(alike, 2, 5))).write(tmp_path / "strong")
    assert verify(strong).code == 0, "k^2-anonymity holds on the published labels"
    weak = Transactions.from_lists(["ab"] * 4 + ["ac", "bc", "cd"] + ["a", "b", "c", "d"] * 4)
    policy = frequent_sets(weak, 2, 4)
    release = Coat(k=3, suppression=1).anonymize(weak.with_policies(policy))
    out = release.write(tmp_path / "weak")
    check = verify(out)
    assert check.code == 3
    assert "computed from the private data (frequent:2:4)" in check.verdicts[0][1].reason
    assert verify(out, original=weak.with_policies(policy)).code == 0


def test_a_verifier_with_another_original_computes_another_policy(tmp_path: Path) -> None:
    """The pair x, y is frequent in the other original only; the release names none of its items."""
    policy = frequent_sets(BASKETS, 2, 3)
    out = Coat(k=3, suppression=1).anonymize(BASKETS.with_policies(policy)).write(tmp_path / "out")
    assert verify(out, original=BASKETS).verdicts[0][1].holds is True
    other = Transactions.from_lists([*BASKETS.to_lists(), *([["x", "y"]] * 3)])
    verdict = verify(out, original=other).verdicts[0][1]
    assert (verdict.checked_from, verdict.measured["violating_sets"]) == ("original", 0)
    assert policy_of_rule(policy.rule, other).sets != policy.sets


def test_policies_that_do_not_read_the_data_are_public(tmp_path: Path) -> None:
    tree = Taxonomy({"*": None, "A": "*", "B": "*", "a": "A", "b": "A", "c": "B", "d": "B"})
    data = BASKETS.with_policies(every_set(2), siblings(tree))
    out = Coat(k=3, suppression=1).anonymize(data).write(tmp_path / "out")
    assert {path.name for path in (out / "context").iterdir()} == {"privacy_policy.csv", "utility_policy.csv"}
    assert "policy" not in json.loads((out / "certificate.json").read_text())
    assert verify(out).code == 0


def test_an_audit_finds_a_derived_policy_that_was_given_as_a_file(tmp_path: Path) -> None:
    pairs = Policy(rare_sets(BASKETS, 2, 3).sets)  # as if it had been read from a file
    data = BASKETS.with_policies(pairs)
    out = Coat(k=3, suppression=1).anonymize(data).write(tmp_path / "out")
    (leak,) = find_leaks(out, data, derived=True)
    assert (leak.check, leak.file) == ("derived", "context/privacy_policy.csv")
    assert "rare:2:" in leak.what
    assert find_leaks(out, data) == [], "by chance a small policy may be one, so that verify does not say so"


OWNED = Places.from_frame({"location": [*"abce"], "x": [0, 1, 2, 3], "y": [0] * 4, "owner": [*"AABB"]})
WALKS = [["a", "b", "c"], ["a", "b"], ["b", "c"], ["a", "c"], ["a", "b"], ["b"], ["a", "b", "e"]]


def gsup(places: Places, folder: Path) -> Path:
    """A release in which the places c and e are suppressed everywhere."""
    release = Gsup(threshold=0.5).anonymize(Trajectories.from_lists(WALKS, places=places))
    assert release.data.published_members() == {"a", "b"}
    return release.write(folder)


def test_a_derived_list_of_places_is_published_as_far_as_it_labels_something(tmp_path: Path) -> None:
    out = gsup(Places(OWNED.frame, derived=True), tmp_path / "out")  # as if they had been columns of the visits
    assert pl.read_csv(out / "context" / "places.csv")["location"].to_list() == ["a", "b"]
    assert json.loads((out / "certificate.json").read_text())["policy"] == {"places": "visits"}
    assert verify(out).code == 0
    assert verify(out, original=Trajectories.from_lists(WALKS, places=OWNED)).code == 0
    given = gsup(OWNED, tmp_path / "given")
    assert pl.read_csv(given / "context" / "places.csv")["location"].to_list() == [*"abce"], "what was given is whole"


def test_an_audit_finds_a_list_of_visited_places(tmp_path: Path) -> None:
    """A list that holds just the visited places, some of which are not published, was taken from the data."""
    out = gsup(OWNED, tmp_path / "out")
    (leak,) = find_leaks(out, Trajectories.from_lists(WALKS), derived=True)
    assert (leak.check, leak.file) == ("derived", "context/places.csv")
    assert find_leaks(out, Trajectories.from_lists(WALKS, places=OWNED), derived=True) == [], "the owner has given it"


def test_a_derived_tree_is_not_published_and_its_promise_needs_the_original(tmp_path: Path) -> None:
    times = [f"2026-05-01T{hour:02}:00" for hour in (8, 9, 8, 9, 8, 9, 8, 9)]
    visits = {"trajectory": [*"11223344"], "location": [*"abababcb"], "time": times}
    tree = Taxonomy({"all": None, "home": "all", "work": "all", "a": "home", "c": "home", "b": "work"}, sensitive=["c"])
    data = TimeSlots().apply(Trajectories.from_frame(visits, taxonomy=tree)).data
    assert data.taxonomy.rule == "time-slots"
    release = Cast(c=1.0, group_size=2).anonymize(data)
    out = release.write(tmp_path / "out")
    assert not (out / "context" / "taxonomy.csv").exists()
    certificate = json.loads((out / "certificate.json").read_text())
    assert certificate["policy"] == {"taxonomy": "time-slots"}
    assert certificate["guarantees"][0]["verdict"]["measured"] == {}
    assert verify(out).code == 3
    assert verify(out, original=data).code == 0


def test_a_tree_of_places_is_derived_if_the_places_are() -> None:
    where = {"location": ["a", "b"], "x": [0, 9], "y": [0, 0], "category": ["Food", "Food"]}
    given = Places.from_frame(where)
    assert place_taxonomy(given).rule == ""
    assert place_taxonomy(Places(given.frame, derived=True), largest=7).rule == "place-taxonomy:7"


def test_sensitive_items_that_label_nothing_are_not_named() -> None:
    data = Transactions.from_lists([["a", "b"], ["a", "b"], ["y"]]).with_sensitive(["y", "b"])
    public, _ = data.take(np.array([0, 1])).published()
    assert public.sensitive == {"b"}
    nobody, _ = Transactions.from_lists([["a"], ["y"]]).with_sensitive(["y"]).take(np.array([0])).published()
    assert (nobody.sensitive, nobody.flags_sensitive) == (frozenset(), True), "and yet it is known what is sensitive"


@pytest.mark.parametrize("method", [Incognito, TopDown])
def test_members_of_a_made_label_are_values_of_published_rows(method: Any, tmp_path: Path) -> None:
    towns, ages = [*"ABCD" * 2, "Hidden"], [*"11112222", "9"]
    release = method(k=2, suppression=0.2).anonymize(Table({"town": towns, "age": ages}))
    assert release.counts["suppressed_records"] == 1
    out = release.write(tmp_path / "out")
    data, members = ((out / name).read_text() for name in ("data.csv", "members.csv"))
    assert "*" in data
    assert "Hidden" not in data + members
    assert "9" not in data + members


def test_members_whose_every_occurrence_was_suppressed_are_not_listed() -> None:
    private = Transactions.from_lists([["a"], ["b"], ["c"], ["d"]])
    swapped = Transactions(
        offsets=[0, 1, 2], codes=[0, 1], names=("g1", "g2"), members={"g1": ("a", "d"), "g2": ("b", "c")}
    )
    pruned, origin = without_suppressed_members(private, swapped, np.array([3, 1]))
    # g1 was read from d, g2 from b: without a and c, the label of b comes first
    assert pruned.members == {"g1": ("b",), "g2": ("d",)}
    assert pruned.to_lists() == [["g2"], ["g1"]]
    assert origin.tolist() == [3, 1]


def test_a_rule_and_what_it_computed_do_not_stand_together(tmp_path: Path) -> None:
    out = Coat(k=3, suppression=1).anonymize(BASKETS.with_policies(rare_sets(BASKETS, 2, 3))).write(tmp_path / "out")
    (out / "context").mkdir()
    (out / "context" / "privacy_policy.csv").write_text("constraint,item\n1,a\n1,d\n")
    forged(out, "context/privacy_policy.csv")
    assert "derived" in {leak.check for leak in find_leaks(out)}
    assert verify(out).code == 1


@pytest.mark.parametrize(
    "rules", [{"hierarchies": "row 1 is Ann"}, {"places": "where Ann was"}, {"privacy_policy": "rare:2:3 Ann"}]
)
def test_free_text_is_no_rule(rules: dict[str, str], tmp_path: Path) -> None:
    out = Coat(k=3, suppression=1).anonymize(BASKETS.with_policies(every_set(1))).write(tmp_path / "out")
    forged(out, policy=rules)
    assert "certificate" in {leak.check for leak in find_leaks(out)}


def forged(folder: Path, *files: str, **changes: Any) -> None:
    certificate = json.loads((folder / "certificate.json").read_text())
    for name in files:
        certificate["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    certificate["files"] = dict(sorted(certificate["files"].items()))
    text = json.dumps(certificate | changes, indent=2, ensure_ascii=False) + "\n"
    (folder / "certificate.json").write_text(text)


@pytest.mark.parametrize("method", [Incognito, TopDown])
def test_intervals_do_not_tell_numbers_of_suppressed_rows(method: Any, tmp_path: Path) -> None:
    ages = [20 + at % 5 for at in range(40)] + [97]
    table = Table({"age": ages, "pay": [*[1.5, 2.5] * 20, 99999.25], "ill": [str(at % 3) for at in range(41)]},
                  quasi_identifiers=("age", "pay"), sensitive=("ill",))  # fmt: skip
    release = method(k=9, suppression=0.1).anonymize(table)
    assert 40 not in release.origin.tolist(), "the last row is suppressed"
    out = release.write(tmp_path / "out")
    data = (out / "data.csv").read_text()
    assert "97" not in data
    assert not any(end in data for end in ("99999", "2000", "100000", "128000"))
    assert verify(out, original=table).code == 0
