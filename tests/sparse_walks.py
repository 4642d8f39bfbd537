"""Random sparse movements for the methods that suppress and split, and what must be true of their releases."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from oracles import HOLDS
from sfumato import Places, Taxonomy, Trajectories
from sfumato.data import Persons
from sfumato.methods import Method, Release
from sfumato.methods.trajectories.sparse.label_tree import LabelTree
from sfumato.methods.trajectories.sparse.unit_visits import UnitVisits

NAMES = "abcdefgh"
TREE = Taxonomy(
    {"all": None, "west": "all", "east": "all", "centre": "west", "a": "centre", "b": "centre", "c": "west"}
    | dict.fromkeys("defg", "east")
    | {"h": "all"}
)


@st.composite
def walks(draw: Any, *, sensitive: str = "") -> Trajectories:
    """Records of up to eight places, on a plane, on a globe or in a taxonomy; persons known or not."""
    rows = draw(st.lists(st.text(NAMES, max_size=6), min_size=1, max_size=24))
    who = draw(st.none() | st.lists(st.sampled_from("pqrstuvw"), min_size=len(rows), max_size=len(rows)))
    spots = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=8, max_size=8))
    tree = draw(st.sampled_from([None, None, TREE]))
    return made(rows, who, places=located(spots, geographic=draw(st.booleans()), sensitive=sensitive), taxonomy=tree)


def located(spots: Sequence[tuple[int, int]], *, geographic: bool, sensitive: str = "") -> Places:
    columns = {"location": list(NAMES)}
    first, second = ("lat", "lon") if geographic else ("x", "y")
    columns |= {first: [10.0 * x for x, _ in spots], second: [100.0 + 10.0 * y for _, y in spots]}
    if sensitive:
        columns["sensitive"] = [name in sensitive for name in NAMES]
    return Places.from_frame(columns)


def made(rows: Sequence[Sequence[str]], who: Sequence[Any] | None, **known: Any) -> Trajectories:
    ids = [f"private-id-{number}" for number in range(len(rows))]
    return Trajectories.from_lists([list(row) for row in rows], ids=ids, persons=who, **known)


def many_walks(seed: int, *, records: int = 80, people: int | None = 50, names: int = 40) -> Trajectories:
    """Some popular places and many rare ones."""
    rng = np.random.default_rng(seed)
    known = [f"p{number:02}" for number in range(names)]
    places = Places.planar({name: tuple(rng.integers(0, 9, 2).tolist()) for name in known})
    rows = [[known[at] for at in (rng.zipf(1.4, rng.integers(1, 7)) - 1) % names] for _ in range(records)]
    who = None if people is None else rng.integers(0, people, records).tolist()
    return Trajectories.from_lists(rows, places=places, persons=who)


def behind(release: Release) -> list[int]:
    """The original record of each published one."""
    starts = release.data.offsets[:-1]
    first = release.origin[starts]
    return (np.searchsorted(release.original.offsets, first, side="right") - 1).tolist()


def counted(release: Release) -> Any:
    """The published records with who counts once: a person, or an original record."""
    original = release.original
    records = behind(release)
    if original.persons is None:
        return release.data.with_persons(Persons.of(records))
    return release.data.with_persons(original.persons.take(np.array(records, dtype=np.int64)))


def assert_sound(release: Release) -> None:
    """The promise by brute force; every visit true, once, in order; labels stand for what is published under them."""
    data, original = release.data, release.original
    assert release.holds
    for model in release.method.guarantees:
        assert HOLDS[type(model)](model, counted(release), original)
        assert model.check(counted(release), original).holds is True
    members = {name: data.members.get(name, (name,)) for name in data.names}
    assert len(set(release.origin.tolist())) == len(release.origin)
    shown: dict[str, set[str]] = {}
    record_of_visit = np.searchsorted(original.offsets, release.origin, side="right") - 1
    for begin, end in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        assert begin < end
        origin = release.origin[begin:end]
        assert len(set(record_of_visit[begin:end].tolist())) == 1
        assert (np.diff(origin) > 0).all()
        for code, visit in zip(data.codes[begin:end], origin, strict=True):
            shown.setdefault(data.names[code], set()).add(original.names[original.codes[visit]])
        for one, other in combinations({data.names[code] for code in data.codes[begin:end]}, 2):
            assert not set(members[one]) & set(members[other])
    assert {name: set(group) for name, group in members.items()} == shown
    pieces = Counter(behind(release))
    assert release.counts["suppressed_visits"] == len(original.codes) - len(release.origin)
    assert release.counts["suppressed_records"] == len(original) - len(pieces)
    assert release.counts["split_records"] == sum(number > 1 for number in pieces.values())
    assert data.times is None


def as_members(data: Trajectories) -> list[list[tuple[str, ...]]]:
    """Published records, each label as the places it stands for, in order."""
    return sorted([tuple(sorted(data.members.get(label, (label,)))) for label in row] for row in data.to_lists())


def listed(data: Trajectories) -> tuple[list[list[int]], list[int]]:
    """The places of each record and its unit, in the order in which the methods settle ties."""
    visits = UnitVisits.of(data, np.zeros(len(data.names), dtype=bool))
    return [part.tolist() for part in np.split(visits.places, visits.offsets[1:-1])], visits.unit_of_record.tolist()


def named(rows: list[list[tuple[int, int]]], names: tuple[str, ...]) -> list[list[tuple[str, ...]]]:
    """Records of (label, place), each label as the places that are visited under it, in order."""
    members: dict[int, set[str]] = {}
    for row in rows:
        for label, place in row:
            members.setdefault(label, set()).add(names[place])
    return sorted([tuple(sorted(members[label])) for label, _ in row] for row in rows)


def with_tree(method: Method[Trajectories], data: Trajectories) -> tuple[Release, LabelTree]:
    """A release, and the labels that the method made for it."""
    made: list[LabelTree] = []
    original = LabelTree.of.__func__  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LabelTree, "of", classmethod(lambda cls, *args: made.append(original(cls, *args)) or made[-1]))
        release = method.anonymize(data)
    return release, made[-1]


def spoil(folder: Path) -> None:
    """One more record, which nobody shares, and a certificate that fits the file."""
    lines = (folder / "data.csv").read_text().splitlines()
    number = int(lines[-1].split(",")[0]) + 1
    (folder / "data.csv").write_text("\n".join([*lines, f"{number},p39", f"{number},p38"]) + "\n")
    certificate = json.loads((folder / "certificate.json").read_text())
    certificate["files"]["data.csv"] = hashlib.sha256((folder / "data.csv").read_bytes()).hexdigest()
    certificate["records"]["published"] += 1
    (folder / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
