"""Releases of every method, written to disk and judged from their files by code that did not make them.

For each case: (a) the checker of every guarantee finds nothing in the files; (b) `sfumato.verify` and the search for
leaks find nothing; (c) the directory reads back as the release; (d) the same seed gives the same bytes; (e) every
published value can be read from the original record that it came from; (f) the order of the private records does not
show.  A refusal in one sentence is a legal outcome.
"""

from __future__ import annotations

import math
import shutil
import tempfile
import traceback
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from sfumato import verify
from sfumato.attacks.leaks.search import find_leaks
from sfumato.catalogue import METHODS, method_class
from sfumato.errors import CallerError, PromiseBroken
from sfumato.io.published import directory as published
from trials.checkers import CHECKERS
from trials.files import Behind, Seen, read_directory
from trials.nasty import Case, case_of

__all__ = ["AIMS", "Judged", "judge"]

AIMS: dict[str, tuple[str, ...]] = {
    "km": ("seqanon", "seqanon-f", "sd-seqanon", "u-seqanon", "km-suppress", "km-split", "apriori", "lra", "vpa"),
    "klm": ("zga", "sga", "km-suppress", "km-split"),
    "projection": ("gsup", "lsup", "split", "mix"),
    "c-safety": ("cast",),
    "sequence-k": ("bf-p2ka",),
    "strict-k": ("icba", "cba"),
    "inference-route": ("icba", "cba"),
    "k-anonymity": ("incognito", "cluster", "local", "top-down", "bottom-up"),
    "l-diversity": ("incognito", "cluster", "local", "top-down", "bottom-up"),
    "t-closeness": ("incognito", "cluster", "local", "top-down", "bottom-up"),
    "lm": ("apriori", "lra", "vpa"),
    "reconstruction": ("disassociate",),
    "kkm": ("r-first", "t-first", "rum-bound", "tum-bound"),
    "klm-diversity": ("r-first", "t-first", "rum-bound", "tum-bound"),
    "policy": ("coat", "pcta"),
    "k-policy": ("r-first", "t-first", "rum-bound", "tum-bound"),
    "epsilon": ("ngrams", "diffpart"),
}
"""The methods whose releases promise each model, by the parameters that `trials.nasty` chooses."""

# shares of the cases: what costs as much as the release itself is done to some of them, chosen by their names
_VERIFIED = 0.25
_AGAIN = 0.1


@dataclass
class Judged:
    """What became of a case: the models that its release promises, a refusal, and what was found."""

    case: str
    method: str
    models: tuple[str, ...] = ()
    refused: str = ""
    verified: bool = False
    again: bool = False
    found: list[str] = field(default_factory=list)


def judge(name: str, *, again: bool | None = None) -> Judged:
    """Make the release of a case and look for anything wrong with it.

    The files of every release are checked, and its values compared with the original.  A quarter of the cases are also
    verified by the product and read back.  One in ten is run twice more, for the seed and for the private order, and
    is verified and searched for leaks with the original.  All this is done where `again` is True, none where it is
    False.
    """
    case = case_of(name)
    drawn = Random(f"again {name}").random() if again is None else float(not again)
    folder = Path(tempfile.mkdtemp(dir=_fast()))
    try:
        return _judged(case, folder, verified=drawn < _VERIFIED, again=drawn < _AGAIN)
    except Exception:
        return Judged(name, case.method, found=[f"crash: {traceback.format_exc(limit=-3)}"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fast() -> str | None:
    """A file system in memory where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _judged(case: Case, folder: Path, *, verified: bool, again: bool) -> Judged:
    verdict = Judged(case.name, case.method, verified=verified, again=again)
    try:
        method = method_class(case.method).from_json(case.parameters)
        release = method.anonymize(case.data, seed=case.seed)
        release.write(folder / "one")
    except CallerError as refusal:
        verdict.refused = str(refusal)
        if "\n" in str(refusal).strip() and not any("\n" in name for name in _names_of(case)):
            verdict.found.append(f"refusal of several lines: {refusal!r}")
        if "private-" in str(refusal):
            verdict.found.append(f"refusal quotes private names: {refusal!r}")
        return verdict
    except PromiseBroken as broken:
        verdict.found.append(f"the product refuses its own release: {broken}")
        return verdict
    seen = read_directory(folder / "one")
    verdict.models = tuple(guarantee["model"] for guarantee in seen.certificate["guarantees"])
    behind = _behind(case, release, seen)
    for guarantee in seen.certificate["guarantees"]:
        broken = CHECKERS[guarantee["model"]](seen, guarantee["parameters"], behind)
        verdict.found += [f"{guarantee['model']} broken: {one}" for one in broken[:3]]
    verdict.found += _told(case, seen, folder / "one")
    if verified:
        verdict.found += _by_the_product(case, folder / "one", again)
        verdict.found += _read_back(release, folder / "one")
    if not method.untruthful:
        verdict.found += _untrue(case, release, seen)
    if again:
        verdict.found += _again(case, method, folder)
    return verdict


def _names_of(case: Case) -> set[str]:
    return {str(one) for record in case.original for one in (record.values() if isinstance(record, dict) else record)}


def _behind(case: Case, release: Any, seen: Seen) -> Behind:
    """Who is behind each published record, by the correspondence that stays private."""
    rows = _original_rows(case, release, seen)
    persons = None
    if case.persons is not None and rows is not None:
        persons = [("dummy", at) if row < 0 else case.persons[row] for at, row in enumerate(rows)]
    elif release.method.counts_originals:
        persons = rows
    original = case.original if case.data.kind in ("trajectories", "transactions") else None
    if seen.kind == "roads" or (release.method.untruthful and seen.kind != "trajectories"):
        original = None
    spends = None if case.public is None else release.budget.spends
    whose = case.persons if original is not None else None
    policies = {}
    if case.derived is not None:
        policies["privacy_policy"] = {"size": 0, "sets": [frozenset(one) for one in case.derived.sets]}
    return Behind(persons, original, whose, spends, case.public, policies)


def _original_rows(case: Case, release: Any, seen: Seen) -> list[int] | None:
    """The private record behind each published one; -1 for a dummy."""
    if release.origin is None:
        return None
    origin = [int(one) for one in release.origin]
    if seen.kind in ("table", "mixed"):
        return origin
    starts = [0]
    for record in case.original:
        starts.append(starts[-1] + len(record))
    rows, at = [], 0
    for record in seen.records:
        length = len(record[1]) if seen.kind == "roads" else len(record)
        mine = {-1 if one < 0 else bisect_right(starts, one) - 1 for one in origin[at : at + length]}
        if len(mine) != 1:
            raise AssertionError(f"a published record comes from several original ones: {sorted(mine)}")
        rows.append(mine.pop())
        at += length
    return rows


def _told(case: Case, seen: Seen, folder: Path) -> list[str]:
    """What the files say beyond the promise: private names, a seed, an order, what stands for nothing published."""
    found = []
    for name, content in _bytes(folder).items():
        if b"private-" in content or (case.seed > 1_000_000 and str(case.seed).encode() in content):
            found.append(f"told: {name} holds private names or the seed")
    if seen.kind in ("trajectories", "transactions") and seen.records != sorted(seen.records):
        found.append("told: the records are not in the order of their content")
    if case.derived is not None and "privacy_policy" in seen.policies:
        found.append("told: a policy that was computed from the private data is published")
    used: dict[str, set[Any]] = {}
    for attribute in seen.members:
        if seen.kind in ("trajectories", "transactions"):
            used[attribute] = {label for record in seen.records for label in record}
        else:
            used[attribute] = {record.get(attribute) for record in seen.records}
            if seen.roles.get(attribute) == "items":
                used[attribute] = {label for items in seen.items for label in items}
    for attribute, labels in seen.members.items():
        found += [f"told: {label!r} has members and labels nothing" for label in labels if label not in used[attribute]]
    return found


def _by_the_product(case: Case, folder: Path, with_original: bool) -> list[str]:
    """The product's own verifier and its search for leaks, on an honest release."""
    found = [f"verify: {one}" for one in _refused(folder, None)]
    if with_original:
        found += [f"verify --original: {one}" for one in _refused(folder, case.data)]
        found += [f"leak: {leak.check} {leak.file}: {leak.sentence}" for leak in find_leaks(folder, case.data)]
    return found


def _refused(folder: Path, original: Any) -> list[str]:
    check = verify(folder, original=original)
    broken = [
        f"{model} does not hold: {verdict.witnesses[:1]}" for model, verdict in check.verdicts if verdict.holds is False
    ]
    return [*check.problems, *broken]


def _read_back(release: Any, folder: Path) -> list[str]:
    """Whether the directory reads back as the data of the release."""
    data = published.read(folder).data
    if data is None:
        return ["round trip: the data cannot be read"]
    one, other = data.to_polars(), release.data.to_polars()
    if one.columns != other.columns or len(one) != len(other):
        return [f"round trip: {one.columns} x {len(one)} became {other.columns} x {len(other)}"]
    found = []
    for column in one.columns:
        number = other[column].dtype.is_numeric()
        here, there = ([_text(cell, number=number) for cell in frame[column].to_list()] for frame in (one, other))
        if here != there:
            found.append(f"round trip: column {column!r} differs")
    for attribute in ("members", "sensitive", "quasi_identifiers"):
        mine, theirs = getattr(data, attribute, None), getattr(release.data, attribute, None)
        if attribute == "sensitive" and release.data.kind not in ("table",):
            continue
        if _sorted(mine) != _sorted(theirs):
            found.append(f"round trip: {attribute} differ: {mine} and {theirs}")
    return found


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(inner) for key, inner in value.items() if inner}
    return sorted(value) if isinstance(value, tuple) else value


def _text(cell: Any, *, number: bool = False) -> str | None:
    """A cell as it can stand in a file: numbers by value, nothing and an empty text alike."""
    if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell)):
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if number or isinstance(cell, float):
        return None if math.isnan(float(cell)) else repr(float(cell) + 0.0)
    return str(cell)


def _untrue(case: Case, release: Any, seen: Seen) -> list[str]:
    """Published values that the original record they came from does not have."""
    if seen.kind == "chunks":
        have = Counter(item for record in case.original for item in set(record))
        listed = Counter(item for one in seen.clusters for rows in one.chunks for row in rows for item in row)
        listed.update(item for one in seen.clusters for item in one.terms)
        return [f"untrue: {item!r} is listed too often" for item in listed if listed[item] > have[item]]
    if release.origin is None:
        return []
    origin = [int(one) for one in release.origin]
    found = []
    if seen.kind in ("trajectories", "transactions"):
        flat = [one for record in case.original for one in record]
        attribute = "location" if seen.kind == "trajectories" else "item"
        labels = [label for record in seen.records for label in record]
        for label, source in zip(labels, origin, strict=True):
            if source < 0 or flat[source] not in seen.stands_for(attribute, label):
                found.append(f"untrue: {label!r} is published of {flat[source] if source >= 0 else None!r}")
        used = [one for one in origin if one >= 0]
        if seen.kind == "trajectories" and len(used) != len(set(used)):
            found.append("untrue: a visit is published twice")
        return found
    for record, items, row in zip(seen.records, seen.items or [()] * len(origin), origin, strict=True):
        original, held = case.original[row] if seen.kind == "mixed" else (case.original[row], ())
        for column, value in original.items():
            if not _covers(seen, column, record[column], value):
                found.append(f"untrue: {record[column]!r} is published of {value!r} in {column!r}")
        column = next((column for column, role in seen.roles.items() if role == "items"), "")
        found += [
            f"untrue: {label!r} is published of {held}"
            for label in items
            if not set(seen.stands_for(column, label)) & set(held)
        ]
    if len(origin) != len(set(origin)):
        found.append("untrue: a row is published twice")
    return found


def _covers(seen: Seen, column: str, cell: str | None, value: Any, depth: int = 0) -> bool:
    """Whether a published cell can be read as the original value."""
    mine = _text(value)
    if cell is None or cell == "":
        return mine is None
    if cell == mine or cell == str(value):
        return True
    if depth < 20 and cell in seen.members.get(column, {}):
        members = seen.members[column][cell]
        if any(_covers(seen, column, member, value, depth + 1) for member in members if member != cell):
            return True
    if mine is None:
        return cell.startswith("(missing)") or cell.lower() == "nan"
    if isinstance(value, bool | str):
        return False
    if cell.startswith("[") and ":" in cell:
        low, _, high = cell[1:-1].partition(":")
        return bool(_number(low) <= value <= _number(high))
    return bool(_number(cell) == value)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _again(case: Case, method: Any, folder: Path) -> list[str]:
    """The same seed once more, and the same records in another order."""
    method.anonymize(case.data, seed=case.seed).write(folder / "two")
    found = []
    first = _bytes(folder / "one")
    if first != _bytes(folder / "two"):
        found.append("the same seed gives other bytes")
    order = np.array(Random(case.name).sample(range(len(case.data)), len(case.data)), dtype=np.int64)
    moved = case.data.take(order)
    if getattr(moved, "ids", None) is not None:
        moved = replace(moved, ids=case.data.ids)
    try:
        method.anonymize(moved, seed=case.seed).write(folder / "three")
    except CallerError as refusal:
        return [*found, f"another private order is refused: {refusal}"]
    if first != _bytes(folder / "three"):
        found.append("the private order shows in the files")
    return found


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


assert set().union(*AIMS.values()) == set(METHODS)
