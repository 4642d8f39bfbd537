"""Leaks of a directory: planted ones are found every time, and no release of ours has any."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

from datasets import build
from sfumato.attacks import Leaks, Scene, find_leaks, weigh
from sfumato.attacks.scene import Exposed
from sfumato.catalogue import METHODS, method_class
from sfumato.errors import FileError

SEED = 7
KINDS = {"seqanon": "trajectories", "apriori": "transactions", "cluster": "table", "r-first": "mixed"}


def released(name: str, *, people: bool = False) -> Any:
    chance = Random(5)
    rows = [[chance.choice("abcdef") for _ in range(chance.randint(1, 4))] for _ in range(40)]
    who = [f"person-{chance.randrange(25)}" for _ in rows] if people else None
    method = method_class(name)
    least = {p.name: 1.0 if p.type is float else int(p.at_least or 1) for p in method.parameters() if p.required}
    return method.from_json(least).anonymize(build(method.kind, rows, who), seed=SEED)


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_no_release_of_ours_leaks_or_is_beaten(name: str, people: bool, tmp_path: Path) -> None:
    release = released(name, people=people)
    out = release.write(tmp_path / "out")
    assert find_leaks(out, release.original) == []
    noisy = any(not model.exact_counts for model in release.method.guarantees)  # membership has its own tests
    if release.data.kind != "roads" and not noisy:
        for scene in (Scene.of(release.original, release), Scene.of(release.original, Exposed.read(out))):
            assert [one for one in weigh(scene, seed=SEED) if one.beaten] == []


def shuffled(out: Path) -> None:
    """Records in the private order."""
    frame = pl.read_csv(out / "data.csv", infer_schema=False)
    if "trajectory" in frame.columns or "record" in frame.columns:
        number = frame.columns[0]
        last = int(frame[number].to_list()[-1])
        parts = [frame.filter(pl.col(number) == str(at)) for at in range(last, 0, -1)]
        frame = pl.concat([part.with_columns(pl.lit(str(at + 1)).alias(number)) for at, part in enumerate(parts)])
        frame.write_csv(out / "data.csv")
    else:
        frame.reverse().write_csv(out / "data.csv")


def with_index(out: Path) -> None:
    frame = pl.read_csv(out / "data.csv", infer_schema=False)
    frame.with_columns(pl.Series("index", np.arange(len(frame)))).write_csv(out / "data.csv")


def with_listed_index(out: Path) -> None:
    """An index that the roles know of, too."""
    with_index(out)
    roles = out / "context" / "roles.csv"
    if roles.exists():
        roles.write_text(roles.read_text() + "index,other\n")


def certificate(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    def changed(out: Path) -> None:
        found = json.loads((out / "certificate.json").read_text())
        change(found)
        (out / "certificate.json").write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")

    return changed


def padded(out: Path) -> None:
    (out / "certificate.json").write_text((out / "certificate.json").read_text() + " ")


PLANTED: dict[str, tuple[str, Callable[[Path], None]]] = {
    "row order": ("order", shuffled),
    "index column": ("columns", with_index),
    "listed index column": ("columns", with_listed_index),
    "seed": ("certificate", certificate(lambda found: found.update(seed=SEED))),
    "seed among parameters": ("certificate", certificate(lambda found: found["parameters"].update(seed=SEED))),
    "extra count": ("certificate", certificate(lambda found: found["records"].update(original=40))),
    "count in a field": ("certificate", certificate(lambda found: found.update(people=25))),
    "count in a verdict": (
        "certificate",
        certificate(lambda found: found["guarantees"][0]["verdict"]["measured"].update(persons=25)),
    ),
    "wrong figure": (
        "certificate",
        certificate(
            lambda found: found["guarantees"][0]["verdict"]["measured"].update(
                {next(iter(found["guarantees"][0]["verdict"]["measured"])): "other"}
            )
        ),
    ),
    "another file": ("files", lambda out: (out / "notes.txt").write_text("40 records")),
    "blanks": ("form", padded),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("planted", PLANTED)
def test_planted_leaks_are_found_every_time(name: str, planted: str, tmp_path: Path) -> None:
    release = released(name)
    out = release.write(tmp_path / "out")
    check, plant = PLANTED[planted]
    plant(out)
    found = find_leaks(out, release.original)
    assert check in {leak.check for leak in found}, found


def test_planted_leaks_of_chunks_and_labels(tmp_path: Path) -> None:
    out = released("disassociate").write(tmp_path / "chunks")
    text = (out / "chunks.csv").read_text().splitlines()
    (out / "chunks.csv").write_text(
        "\n".join([f"{text[0]},row", *(f"{line},{at}" for at, line in enumerate(text[1:]))])
    )
    assert "columns" in {leak.check for leak in find_leaks(out)}
    out = released("seqanon").write(tmp_path / "walks")
    data = (out / "data.csv").read_text().splitlines()
    (out / "data.csv").write_text("\n".join([data[0], *(line.replace(",1,", ",2,", 1) for line in data[1:])]) + "\n")
    assert "numbers" in {leak.check for leak in find_leaks(out)}
    (out / "members.csv").write_text(
        "attribute,label,member\nlocation,g1,c\nlocation,g1,d\nlocation,g2,a\nlocation,g2,b\n"
    )
    assert "labels" in {leak.check for leak in find_leaks(out)}


def test_private_names_are_recognised(tmp_path: Path) -> None:
    release = released("seqanon", people=True)
    out = release.write(tmp_path / "out")
    path = out / "certificate.json"
    path.write_text(path.read_text().replace('"unit": "person"', '"unit": "person-3"'))
    found = find_leaks(out, release.original)
    assert [leak.check for leak in found] == ["names"]
    assert "person-3" not in found[0].sentence


def test_an_order_that_is_the_private_one_is_told_for_every_shuffle(tmp_path: Path) -> None:
    release = released("cluster")
    for turn in range(5):
        out = release.write(tmp_path / str(turn))
        frame = pl.read_csv(out / "data.csv", infer_schema=False).sample(fraction=1.0, shuffle=True, seed=turn)
        frame.write_csv(out / "data.csv")
        assert "order" in {leak.check for leak in find_leaks(out, release.original)}


def test_what_is_no_directory(tmp_path: Path) -> None:
    (tmp_path / "certificate.json").write_text("{")
    with pytest.raises(FileError, match="wanted JSON"):
        find_leaks(tmp_path)
    (tmp_path / "certificate.json").write_text("{}")
    with pytest.raises(FileError, match="fields of a certificate"):
        find_leaks(tmp_path)
    walks = build("trajectories", [list("ab")], None)
    assert "was not written" in str(Leaks().unfit(Scene.of(walks, walks.published()[0])))
