"""Leaks of a directory: planted ones are found every time, and no release of ours has any."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest

from datasets import build
from sfumato.attacks import AttackSetting, Leaks, find_leaks, weigh
from sfumato.attacks.view.setting import Exposed
from sfumato.catalogue import METHODS, method_class
from sfumato.data import Table
from sfumato.errors import FileError
from sfumato.privacy.not_covered import OVERRIDDEN
from sfumato.verification import verify

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
        for setting in (
            AttackSetting.of(release.original, release),
            AttackSetting.of(release.original, Exposed.read(out)),
        ):
            assert [one for one in weigh(setting, seed=SEED) if one.beaten] == []


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
    "seed among parameters": ("certificate", certificate(lambda found: found["parameters"].update(seed=SEED))),
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


REFUSED: dict[str, tuple[str, Callable[[Path], None]]] = {
    "seed": ("wanted only fields of a certificate, found 'seed'", certificate(lambda found: found.update(seed=SEED))),
    "extra count": (
        "wanted only fields of 'records', found 'original'",
        certificate(lambda found: found["records"].update(original=40)),
    ),
    "count in a field": (
        "wanted only fields of a certificate, found 'people'",
        certificate(lambda found: found.update(people=25)),
    ),
    "negative count": (
        "wanted a whole number of at least 0 in 'records.suppressed', found something else",
        certificate(lambda found: found["records"].update(suppressed=-7)),
    ),
    "unit": (
        "wanted record or person in 'unit', found something else",
        certificate(lambda found: found.update(unit="person 612")),
    ),
    "seeded": (
        "wanted true or false in 'seeded', found something else",
        certificate(lambda found: found.update(seeded=42)),
    ),
    "override": (
        "wanted true or no field in 'override', found something else",
        certificate(lambda found: found.update(override=612)),
    ),
    "listed file": (
        "wanted names of published files (x.csv, x.parquet, context/x.csv) in 'files', found 'seed-42'",
        certificate(lambda found: found["files"].update({"seed-42": "00"})),
    ),
    "digests": (
        "wanted a SHA-256 digest in lower case in 'files.",
        certificate(lambda found: found.update(files={k: v.upper() for k, v in found["files"].items()})),
    ),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("planted", REFUSED)
def test_what_the_schema_does_not_have_is_refused(name: str, planted: str, tmp_path: Path) -> None:
    out = released(name).write(tmp_path / "out")
    sentence, plant = REFUSED[planted]
    plant(out)
    for look in (find_leaks, verify):
        with pytest.raises(FileError) as refusal:
            look(out)
        assert str(refusal.value).startswith(f"{out / 'certificate.json'}: {sentence}")


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
    path.write_text(path.read_text().replace('"method": "seqanon"', '"method": "person-3"'))
    found = find_leaks(out, release.original)
    assert [leak.check for leak in found if leak.check != "certificate"] == ["names"]
    assert not any("person-3" in leak.sentence for leak in found)


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
    with pytest.raises(
        FileError, match=r"wanted the fields sfumato, kind, .* of a certificate, found no sfumato, kind"
    ):
        find_leaks(tmp_path)
    walks = build("trajectories", [list("ab")], None)
    assert "was not written" in str(Leaks().unfit(AttackSetting.of(walks, walks.published()[0])))


def honest_digests(out: Path) -> None:
    """Whoever plants a leak can compute digests, too."""

    def change(found: dict[str, Any]) -> None:
        found["files"] = {name: sha256((out / name).read_bytes()).hexdigest() for name in found["files"]}

    certificate(change)(out)


def edited(name: str, change: Callable[[str], str]) -> Callable[[Path], None]:
    def plant(out: Path) -> None:
        file = out / name
        file.write_bytes(change(file.read_bytes().decode()).encode())
        honest_digests(out)

    return plant


def placed(name: str, text: str) -> Callable[[Path], None]:
    """A file that the certificate knows of."""

    def plant(out: Path) -> None:
        (out / "context").mkdir(exist_ok=True)
        (out / name).write_text(text)
        certificate(lambda found: found["files"].update({name: ""}))(out)
        honest_digests(out)
        certificate(lambda found: found.update(files=dict(sorted(found["files"].items()))))(out)

    return plant


def first(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    return certificate(lambda found: change(found["guarantees"][0]))


def foreign(found: dict[str, Any]) -> None:
    verdict = {"holds": True, "checked_from": "files", "measured": {"n": 612}, "witnesses": []}
    found["guarantees"].append({"model": "zzz", "parameters": {"n": 612}, "verdict": verdict})


def with_bom(out: Path) -> None:
    (out / "certificate.json").write_bytes(b"\xef\xbb\xbf" + (out / "certificate.json").read_bytes())


def swapped_fields(found: dict[str, Any]) -> None:
    found["kind"] = found.pop("kind")


ANYWHERE: dict[str, Callable[[Path], None]] = {
    "sentence": certificate(
        lambda found: found["not_covered"].append({"key": "more", "text": "there were 612 people, seed 42"})
    ),
    "sentences in another order": certificate(lambda found: found["not_covered"].reverse()),
    "suppressed": certificate(lambda found: found["records"].update(suppressed=77)),
    "added": certificate(lambda found: found["records"].update(added=77)),
    "published": certificate(lambda found: found["records"].update(published=7777)),
    "beyond": first(lambda one: one.setdefault("beyond", {}).update(secret=612)),
    "beyond, changed": first(lambda one: one.setdefault("beyond", {}).update(share_unique=0.1234)),
    "reason": first(lambda one: one["verdict"].update(reason="612 persons")),
    "witnesses": first(lambda one: one["verdict"].update(witnesses=[{"n": 612}])),
    "parameter": certificate(lambda found: found["parameters"].update(k=[5, 612])),
    "parameter of the promise": first(lambda one: one["parameters"].update(k=612)),
    "version": certificate(lambda found: found.update(sfumato="0.1.0+612")),
    "method": certificate(lambda found: found.update(method=found["method"] + " 612")),
    "override": certificate(lambda found: found.update(override=True)),
    "listed file": certificate(lambda found: found["files"].update({"seed-42.csv": "0" * 64})),
    "digests": certificate(lambda found: found.update(files=dict.fromkeys(found["files"], "0" * 64))),
    "unknown model": certificate(foreign),
    "guarantee twice": certificate(lambda found: found["guarantees"].append(found["guarantees"][0])),
    "order of fields": certificate(swapped_fields),
    "mark before the certificate": with_bom,
    "empty directory": lambda out: (out / "seed42").mkdir(),
    "linked file": lambda out: (out / "x").symlink_to("/nowhere/612"),
    "policy": placed("context/utility_policy.csv", "612 persons\n"),
    "nodes": placed("context/nodes.csv", "node,x,y,count\n1,2,3,612\n"),
}


@pytest.mark.parametrize("people", [False, True])
@pytest.mark.parametrize("name", [*KINDS, "disassociate"])
def test_whatever_is_not_rebuilt_is_a_leak(name: str, people: bool, tmp_path: Path) -> None:
    release = released(name, people=people)
    missed = []
    for at, (planted, plant) in enumerate(ANYWHERE.items()):
        out = release.write(tmp_path / str(at))
        plant(out)
        known = planted == "suppressed"  # what was lost is known only beside the original
        if not find_leaks(out, release.original if known else None):
            missed.append(planted)
    assert missed == []


TEXTS: dict[str, Callable[[str], str]] = {
    "mark at the start": lambda text: "\ufeff" + text,
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "blanks": lambda text: text.replace("\n", " \n", 3),
    "empty line": lambda text: text + "\n",
    "no last line end": lambda text: text.rstrip("\n"),
    "nothing at all": lambda text: "",  # noqa: ARG005
}


@pytest.mark.parametrize("name", ["seqanon", "zga", "disassociate", "coat", "cluster", "r-first", "icba"])
@pytest.mark.parametrize("how", TEXTS)
def test_every_file_is_compared_to_the_byte(name: str, how: str, tmp_path: Path) -> None:
    release = released(name)
    for file in sorted(release.write(tmp_path / "out").path.rglob("*.csv")):
        at = file.relative_to(tmp_path / "out").as_posix()
        out = release.write(tmp_path / at.replace("/", "-"))
        edited(at, TEXTS[how])(out)
        assert find_leaks(out), at


def test_context_in_another_order(tmp_path: Path) -> None:
    out = released("zga").write(tmp_path / "out")

    def turned(text: str) -> str:
        head, *rows = text.splitlines()
        return "\n".join([head, *reversed(rows)]) + "\n"

    edited("context/places.csv", turned)(out)
    assert [(leak.check, leak.file) for leak in find_leaks(out)] == [("form", "context/places.csv")]


MEMBERS: dict[str, Callable[[list[str]], list[str]]] = {
    "reordered": lambda rows: [rows[1], rows[0], *rows[2:]],
    "twice": lambda rows: [*rows, rows[-1]],
    "another attribute": lambda rows: [*rows, "person,g9,612"],
    "another label": lambda rows: [*rows, "location,zz,zz612"],
}


@pytest.mark.parametrize("how", MEMBERS)
def test_members_are_listed_in_one_way(how: str, tmp_path: Path) -> None:
    walks = build("trajectories", [["a"], ["b"], ["c"], ["d"]] * 2, None)
    release = method_class("seqanon")(k=4, m=1).anonymize(walks, seed=SEED)
    out = release.write(tmp_path / "out")
    assert "location,g1,a\nlocation,g1,b\n" in (out / "members.csv").read_text()

    def change(text: str) -> str:
        head, *rows = text.splitlines()
        return "\n".join([head, *MEMBERS[how](rows)]) + "\n"

    edited("members.csv", change)(out)
    assert find_leaks(out, walks)
    assert find_leaks(out)


def people_with(**columns: list[Any]) -> Table:
    frame = pl.DataFrame({"age": [at % 3 for at in range(30)], **columns})
    return Table(frame, quasi_identifiers=("age",), sensitive=tuple(columns))


def test_numbers_in_two_spellings(tmp_path: Path) -> None:
    table = people_with(income=[18600 + at // 2 for at in range(30)])
    out = method_class("local")(k=3).anonymize(table, seed=SEED).write(tmp_path / "out")
    assert find_leaks(out, table) == []
    edited("data.csv", lambda text: text.replace("18600\n", "18600.0\n", 1))(out)
    assert "form" in {leak.check for leak in find_leaks(out, table)}


def test_a_column_that_is_sorted_does_not_number_rows(tmp_path: Path) -> None:
    sorted_one = people_with(income=[1000.5 + 7 * at**2 for at in range(30)], height=list(range(100, 250, 5)))
    numbered = people_with(row=list(range(30)))
    for at, (table, checks) in enumerate([(sorted_one, set()), (numbered, {"columns"})]):
        out = method_class("local")(k=3, allow_keys=True).anonymize(table, seed=SEED).write(tmp_path / str(at))
        assert {leak.check for leak in find_leaks(out, table)} == checks


def test_persons_who_are_called_like_words_of_the_certificate(tmp_path: Path) -> None:
    names = ["data", "may", "record", "holds", "trajectory", "location", "bob"]
    walks = build("trajectories", [list("ab")] * 14, names * 2)
    out = method_class("seqanon")(k=2, m=1).anonymize(walks, seed=SEED).write(tmp_path / "out")
    assert find_leaks(out, walks) == []
    certificate(lambda found: found["not_covered"].append({"key": "more", "text": "what bob does"}))(out)
    assert "names" in {leak.check for leak in find_leaks(out, walks)}


@pytest.mark.parametrize("name", ["seqanon", "apriori", "disassociate", "local", "r-first"])
def test_a_release_that_was_written_all_the_same_does_not_leak(name: str, tmp_path: Path) -> None:
    """Its witnesses are in the certificate, numbers of a table as numbers."""
    release = released(name)
    method = replace(release.method, k=41)
    verdicts = tuple((model, model.check(release.data, release.original)) for model in method.guarantees)
    broken = replace(release, method=method, verdicts=verdicts, beyond={})
    assert not broken.holds
    out = broken.write(tmp_path / "out", override=True)
    assert find_leaks(out, release.original) == []
    first(lambda one: one["verdict"]["witnesses"].append({"n": 612}))(out)
    assert find_leaks(out, release.original)


def noticed(out: Path, original: Any) -> list[str]:
    """The leaks of a directory, or the sentence with which its certificate is refused."""
    try:
        return [leak.sentence for leak in find_leaks(out, original)]
    except FileError as refusal:
        return [str(refusal)]


@pytest.mark.parametrize("strange", [None, [], {}, "x", 612, [None], {"a": {}}])
def test_fields_of_any_shape(strange: Any, tmp_path: Path) -> None:
    release = released("seqanon")
    out = release.write(tmp_path / "out")
    for field in json.loads((out / "certificate.json").read_text()):
        other = release.write(tmp_path / field)
        certificate(lambda found, field=field: found.update({field: strange}))(other)  # type: ignore[misc]
        if (field, strange) == ("method", "x"):  # somebody's own method: nothing is known of it, and verify says so
            assert verify(other).code == 3
            continue
        assert noticed(other, release.original), field


def test_a_release_that_its_ledger_advised_against_does_not_leak(tmp_path: Path) -> None:
    def change(found: dict[str, Any]) -> None:
        found["not_covered"].append(OVERRIDDEN.to_json())
        found["override"] = True
        found["files"] = found.pop("files")

    out = released("seqanon").write(tmp_path / "out")
    certificate(change)(out)
    assert find_leaks(out) == []
