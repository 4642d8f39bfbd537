"""Published coordinates: what is written, what verify compares, and what counts as a leak."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato import Gsup, Lsup, NGrams, Places, SeqAnon, Trajectories
from sfumato.attacks.leaks.search import find_leaks
from sfumato.errors import MissingKnowledge
from sfumato.io.published import read as read_published
from sfumato.verification import verify

WHERE = {"a": (0, 0), "b": (-1, 0), "c": (1, 0), "d": (-1, 1.5), "e": (1, 1.6), "unvisited": (9, 9)}
WALKS = [*map(list, ("dace", "baec", "ade", "bdec", "dc", "de"))]
DATA = Trajectories.from_lists(WALKS, places=WHERE)
FILE = "context/places.csv"


def published(folder: Path, data: Trajectories = DATA) -> Path:
    return SeqAnon(k=2, m=2).anonymize(data).write(folder, geometry=True).path


def altered(folder: Path, change: Callable[[str], str]) -> Path:
    """The directory with another list of places, and a certificate that lists it as it is."""
    text = change((folder / FILE).read_text())
    (folder / FILE).write_text(text)
    certificate = json.loads((folder / "certificate.json").read_text())
    certificate["files"][FILE] = hashlib.sha256(text.encode()).hexdigest()
    (folder / "certificate.json").write_text(json.dumps(certificate, indent=2, ensure_ascii=False) + "\n")
    return folder


def test_the_members_of_published_labels_are_listed_and_no_others(tmp_path: Path) -> None:
    out = published(tmp_path / "out")
    assert (out / FILE).read_text() == "location,x,y\na,0.0,0.0\nb,-1.0,0.0\nc,1.0,0.0\nd,-1.0,1.5\ne,1.0,1.6\n"
    assert FILE in json.loads((out / "certificate.json").read_text())["files"]
    assert find_leaks(out, DATA, derived=True) == []
    check = verify(out)
    assert check.code == 0
    assert "coordinates of places: 5 (as the release says)" in [fact.sentence for fact in check.counted]
    check = verify(out, original=DATA)
    assert check.code == 0
    assert "coordinates of places: 5 (as the original says)" in [fact.sentence for fact in check.counted]
    frame = read_published(out).to_geopandas().set_index("label")
    assert sorted((point.x, point.y) for point in frame.geometry["g1"].geoms) == [(-1, 0), (0, 0), (1, 0)]


def test_nothing_is_published_unless_it_was_asked_for(tmp_path: Path) -> None:
    out = SeqAnon(k=2, m=2).anonymize(DATA).write(tmp_path / "out")
    assert not (out.path / "context").exists()


def test_coordinates_of_the_visits_are_refused(tmp_path: Path) -> None:
    frame = DATA.to_polars().join(DATA.places.frame, on="location")
    visits = Trajectories.from_frame(frame)
    release = SeqAnon(k=2, m=2).anonymize(visits)
    with pytest.raises(MissingKnowledge, match=r"^geometry: .*computed from the private visits; give places$"):
        release.write(tmp_path / "out", geometry=True)
    assert not (tmp_path / "out").exists()
    out = published(tmp_path / "given")
    (leak,) = find_leaks(out, visits, derived=True)
    assert (leak.check, leak.file) == ("derived", FILE)
    assert verify(out, original=visits).code == 3, "nobody can say whether the coordinates come from a public list"


def test_with_owners_every_given_place_is_listed(tmp_path: Path) -> None:
    owned = Places(DATA.places.frame.with_columns(owner=pl.lit("x")))
    data = Trajectories.from_lists(WALKS, places=owned)
    out = Gsup(threshold=0.9).anonymize(data).write(tmp_path / "out", geometry=True).path
    listed = pl.read_csv(out / FILE)
    assert (listed.columns, len(listed)) == (["location", "x", "y", "owner"], 6)
    assert find_leaks(out, data, derived=True) == []
    assert verify(out, original=data).code == 0


def test_synthetic_data_publish_the_coordinates_of_their_labels(tmp_path: Path) -> None:
    release = NGrams(epsilon=5.0, l_max=4, n_max=2).anonymize(DATA, seed=1)
    out = release.write(tmp_path / "out", geometry=True).path
    assert set(pl.read_csv(out / FILE)["location"]) == release.data.published_members()
    assert find_leaks(out, DATA, derived=True) == []


LEAKS: dict[str, Callable[[str], str]] = {
    "a place that no label stands for": lambda text: text + "unvisited,9.0,9.0\n",
    "another order": lambda text: "\n".join([text.splitlines()[0], *text.splitlines()[:0:-1]]) + "\n",
    "another column": lambda text: (
        "\n".join(f"{line},{'category' if not row else 'home'}" for row, line in enumerate(text.splitlines())) + "\n"
    ),
    "another number of digits": lambda text: text.replace("1.5", "1.50"),
    "an owner of whom no promise speaks": lambda text: (
        "\n".join(f"{line},{'owner' if not row else 'ann'}" for row, line in enumerate(text.splitlines())) + "\n"
    ),
}


@pytest.mark.parametrize("how", LEAKS)
def test_a_list_with_more_than_the_labels_is_a_leak(how: str, tmp_path: Path) -> None:
    out = altered(published(tmp_path / "out"), LEAKS[how])
    assert {leak.file for leak in find_leaks(out)} == {FILE}
    assert verify(out).code == 1


def test_a_moved_place_is_a_difference(tmp_path: Path) -> None:
    out = altered(published(tmp_path / "out"), lambda text: text.replace("e,1.0,1.6", "e,1.0,1.7"))
    check = verify(out, original=DATA)
    assert check.problems == ("the coordinates of 1 of 5 published places are not those of the given places",)


def test_a_certificate_that_calls_the_places_private_forbids_coordinates(tmp_path: Path) -> None:
    owned = Places(DATA.places.frame.with_columns(owner=pl.lit("x")), derived=True)
    data = Trajectories.from_lists(WALKS, places=owned)
    out = Gsup(threshold=0.9).anonymize(data).write(tmp_path / "out").path
    assert find_leaks(out) == []
    points = {name: f"{name},{x},{y},x" for name, (x, y) in WHERE.items()}
    altered(out, lambda text: "\n".join(
        ["location,x,y,owner", *(points[line.partition(",")[0]] for line in text.splitlines()[1:])]
    ) + "\n")  # fmt: skip
    assert ("derived", "coordinates of places that were computed from the private visits") in [
        (leak.check, leak.what) for leak in find_leaks(out)
    ]


def test_every_number_is_read_back_as_it_was_given(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    numbers = random.normal(size=(200, 2)) * 10.0 ** random.integers(-300, 300, (200, 2))
    where = {f"p{place}": tuple(point) for place, point in enumerate(numbers.tolist())}
    data = Trajectories.from_lists([[name] for name in where for _ in range(2)], places=where)
    out = Lsup(threshold=1.0).anonymize(owned(data)).write(tmp_path / "out", geometry=True).path
    assert find_leaks(out) == []
    assert verify(out, original=owned(data)).problems == ()


def owned(data: Trajectories) -> Trajectories:
    return replace(data, places=Places(data.places.frame.with_columns(owner=pl.lit("x"))))
