"""The promise of both methods for sparse movements on random data, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from datasets import shuffled
from sfumato import KmSplit, KmSuppress, Places, Taxonomy, Trajectories
from sfumato.data import Persons
from sfumato.errors import DataError, Infeasible, MissingKnowledge, ParameterError
from sparse_walks import as_members, assert_sound, behind, made, many_walks, walks

BOTH = pytest.mark.parametrize("method", [KmSuppress, KmSplit])
often = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
numbers = st.fixed_dictionaries(
    {
        "k": st.integers(2, 4),
        "m": st.integers(1, 3),
        "keep": st.sampled_from([0.2, 0.8, 0.95, 1.0]),
        "levels": st.integers(1, 4),
    }
)
LINE = Places.planar({name: (x, 0) for x, name in enumerate("abcdefgh")})


def drawn(method: Any, draw: Any, **more: Any) -> Any:
    if method is KmSplit:
        more["pieces"] = draw.draw(st.sampled_from([None, 1, 2]))
    return method(**draw.draw(numbers), **more)


@BOTH
@often
@given(data=walks(), draw=st.data())
def test_the_release_is_sound(method: Any, data: Trajectories, draw: Any) -> None:
    try:
        release = drawn(method, draw).anonymize(data)
    except Infeasible:
        assume(False)
    assert_sound(release)


@BOTH
@often
@given(data=walks(sensitive="gh"), l=st.integers(2, 3), draw=st.data())
def test_the_release_is_sound_with_sensitive_places(method: Any, data: Trajectories, l: int, draw: Any) -> None:  # noqa: E741
    try:
        release = drawn(method, draw, l=l).anonymize(data)
    except Infeasible:
        assume(False)
    assert_sound(release)
    assert all(not {*group} & {*"gh"} for group in release.data.members.values())


@BOTH
@pytest.mark.parametrize("people", [None, 50], ids=["records", "persons"])
@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_larger_releases_are_sound(method: Any, people: int | None, m: int, seed: int) -> None:
    release = method(k=4, m=m).anonymize(many_walks(seed, people=people))
    assert_sound(release)
    assert release.counts["suppressed_visits"] < len(release.original.codes)


@BOTH
@settings(max_examples=40, deadline=None)
@given(data=walks(sensitive="gh"), draw=st.data())
def test_order_names_of_persons_and_seeds_do_not_show(method: Any, data: Trajectories, draw: Any) -> None:
    chosen = drawn(method, draw, l=draw.draw(st.sampled_from([None, 2])))
    order = np.array(draw.draw(st.permutations(range(len(data)))))
    other = shuffled(data, order)
    if data.persons is not None:
        renamed = draw.draw(st.permutations(range(len(data.persons.names))))
        other = other.with_persons(Persons.of([f"other-{renamed[code]}" for code in data.persons.codes[order]]))
    try:
        one = chosen.anonymize(data)
    except Infeasible:
        assume(False)
    two = chosen.anonymize(other, seed=7)
    assert two.data.to_polars().equals(one.data.to_polars())
    assert two.data.members == one.data.members
    assert two.counts == one.counts


@BOTH
def test_the_input_is_untouched(method: Any) -> None:
    data = many_walks(5)
    before = data.codes.tobytes(), data.offsets.tobytes(), data.names, data.persons.codes.tobytes()
    method(k=4, m=2).anonymize(data)
    assert (data.codes.tobytes(), data.offsets.tobytes(), data.names, data.persons.codes.tobytes()) == before


@BOTH
@pytest.mark.parametrize("keep", [0.5, 0.95, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_share_is_kept_where_one_label_for_everything_keeps_it(method: Any, keep: float, seed: int) -> None:
    data = many_walks(seed, people=None)
    assert np.count_nonzero(data.lengths >= 2) >= 4
    release = method(k=4, m=2, keep=keep, levels=2).anonymize(data)
    assert len(release.origin) >= keep * len(data.codes)


_NEITHER = "needs places with coordinates or a taxonomy, these data carry neither; give places, lat and lon"


@BOTH
def test_what_is_missing_is_refused(method: Any) -> None:
    nowhere = made(["ab", "ab"], None)
    with pytest.raises(MissingKnowledge, match=_NEITHER):
        method(k=2, m=1).anonymize(nowhere)
    with pytest.raises(MissingKnowledge, match=_NEITHER):
        method(k=2, m=1).anonymize(made(["ab", "ab"], None, places=Places.from_frame({"location": ["a", "b"]})))
    with pytest.raises(MissingKnowledge, match="l=2 needs sensitive locations, these data carry none"):
        method(k=2, m=1, l=2).anonymize(made(["ab", "ab"], None, places=LINE))
    with pytest.raises(DataError, match="wanted a leaf for every location of the data, found none for 1"):
        method(k=2, m=1).anonymize(made(["ab", "ab"], None, taxonomy=Taxonomy({"all": None, "a": "all"})))
    with pytest.raises(DataError):
        method(k=2, m=1).anonymize(made(["ab", "ab"], None, places=Places.planar({"a": (0, 0)})))


@BOTH
@pytest.mark.parametrize("rows", [[], [""], ["", "", ""], ["ab"], ["abc", ""]])
def test_too_few_units_are_refused(method: Any, rows: list[str]) -> None:
    with pytest.raises(Infeasible, match=rf"{method.name}: k=2 needs at least 2 records with a visit, these data have"):
        method(k=2, m=2).anonymize(made(rows, None, places=LINE))


@BOTH
def test_one_person_with_all_records_is_refused(method: Any) -> None:
    with pytest.raises(Infeasible, match="k=2 needs at least 2 persons with a visit, these data have 1"):
        method(k=2, m=2).anonymize(made(["ab"] * 9, ["u"] * 9, places=LINE))


@BOTH
def test_persons_with_nothing_but_sensitive_visits_do_not_count(method: Any) -> None:
    places = LINE.with_sensitive(["h"])
    with pytest.raises(Infeasible, match="k=3 needs at least 3 records with a visit, these data have 2"):
        method(k=3, m=1, l=2).anonymize(made(["ab", "ab", "h", "h"], None, places=places))


@BOTH
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"keep": 0}, "keep"),
        ({"keep": 1.1}, "keep"),
        ({"levels": 0}, "levels"),
        ({"l": 1}, "l must be a whole number of at least 2, or None, got 1"),
    ],
)
def test_parameters_out_of_range_are_refused(method: Any, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        method(k=2, m=1, **wrong)


@BOTH
def test_all_visits_at_one_place(method: Any) -> None:
    release = method(k=2, m=3).anonymize(made(["a", "aa", "aaa", "aaaa"], None, places=LINE))
    assert_sound(release)
    assert {label for row in release.data.to_lists() for label in row} == {"a"}


@BOTH
def test_all_places_at_the_same_point(method: Any) -> None:
    places = Places.planar(dict.fromkeys("abcdefgh", (1, 1)))
    release = method(k=3, m=2).anonymize(made(["ab", "bc", "cd", "de", "ef", "fg", "gh", "ha"], None, places=places))
    assert_sound(release)
    assert release.counts["suppressed_visits"] < 16


@BOTH
def test_equal_records_are_published_as_they_are(method: Any) -> None:
    release = method(k=5, m=3).anonymize(made(["abcde"] * 5, None, places=LINE))
    assert release.data.to_lists() == [list("abcde")] * 5


@BOTH
def test_a_person_with_most_records_counts_once(method: Any) -> None:
    rows = ["abc"] * 30 + ["ab", "ab", "de", "de", "de"]
    release = method(k=3, m=2).anonymize(made(rows, ["u"] * 30 + list("vwxyz"), places=LINE))
    assert_sound(release)
    assert not any("c" in group for row in as_members(release.data) for group in row if len(group) == 1)


@BOTH
def test_a_record_with_5_000_visits(method: Any) -> None:
    rng = np.random.default_rng(4)
    names = [f"p{number:03}" for number in range(300)]
    places = Places.planar({name: tuple(rng.integers(0, 99, 2).tolist()) for name in names})
    rows = [[names[at] for at in (rng.zipf(1.3, 4) - 1) % 300] for _ in range(200)]
    rows.append([names[at] for at in rng.integers(0, 300, 5_000)])
    release = method(k=3, m=2).anonymize(Trajectories.from_lists(rows, places=places))
    assert release.holds


@BOTH
def test_flags_of_a_taxonomy_are_enough(method: Any) -> None:
    """Without places the flags of the taxonomy say what is sensitive; the flag is published."""
    tree = Taxonomy({"all": None, "here": "all", "clinics": "all", "a": "here", "b": "here", "h": "clinics"},
                    sensitive=["clinics"])  # fmt: skip
    data = made(["ab", "abh", "ab", "ab", "ba", "ba"], None, taxonomy=tree)
    release = method(k=2, m=2, l=2).anonymize(data)
    assert release.holds
    assert sum("h" in row for row in release.data.to_lists()) == 1


@BOTH
def test_what_labels_reveal_is_not_covered(method: Any) -> None:
    release = method(k=2, m=1).anonymize(made(["ab", "ab"], None, places=LINE))
    keys = {limit.key for limit in release.not_covered}
    assert {"granularity", "coarse-beside-fine", "absent-pairs"} <= keys
    assert ({"pieces-linked", "pieces-not-trajectories"} <= keys) is (method is KmSplit)


@BOTH
def test_neither_sizes_nor_levels_are_written_down(method: Any, tmp_path: Any) -> None:
    """What the method chose by the private data stands in no file; only the parameters do."""
    release = method(k=4, m=2).anonymize(many_walks(1))
    release.write(tmp_path / "out")
    given_ones = {"k": 4, "m": 2, "keep": 0.95, "levels": 3, "l": None, "pieces": None}
    written = release.certificate().to_json()
    assert written["parameters"].items() <= given_ones.items()
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.is_file()) == [
        "certificate.json", "data.csv", "members.csv",
    ]  # fmt: skip


@BOTH
def test_records_keep_their_order_behind_the_release(method: Any) -> None:
    release = method(k=4, m=2).anonymize(many_walks(2))
    pieces = behind(release)
    assert (len(pieces) == len(set(pieces))) is (method is KmSuppress)
