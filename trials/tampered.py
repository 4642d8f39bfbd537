"""Honest directories, changed in every way that has been thought of, with their digests made to fit again.

Each change must be noticed: by a problem or a verdict of `sfumato.verify`, by the same with the original, by the search
for leaks, or by a refusal to read.  `trials.changes.EXPECTED` says by
which of these at least.
"""

from __future__ import annotations

import shutil
import tempfile
import traceback
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from sfumato import verify
from sfumato.attacks.leaks.search import find_leaks
from sfumato.catalogue import method_class
from sfumato.errors import CallerError, SfumatoError
from trials.changes import CHANGES, EXPECTED, Copy
from trials.files import parse_csv
from trials.nasty import Case, case_of

__all__ = ["BASES", "Tampered", "bases", "noticed_by", "tamper"]

BASES: tuple[str, ...] = (
    "seqanon", "zga", "gsup", "cast", "bf-p2ka", "icba", "disassociate",
    "disassociate:reconstruction", "apriori:km", "apriori:lm", "coat",
    "ngrams", "diffpart", "incognito:k-anonymity", "cluster:t-closeness", "local:l-diversity", "r-first:kkm",
    "t-first:klm-diversity",
)  # fmt: skip
"""What is tampered with: a method and, after the colon, the model that its release promises."""


@dataclass
class Tampered:
    """A change, the release it was made to, and who noticed it; nothing in `by` is a finding."""

    case: str
    tamper: str
    by: set[str] = field(default_factory=set)
    found: list[str] = field(default_factory=list)


def bases(seed: int = 0) -> list[str]:
    """Cases whose releases are honest and not trivial, one for each base."""
    found = []
    for base in BASES:
        method, _, aim = base.partition(":")
        for number in range(seed * 1000, seed * 1000 + 200):
            name = f"{method}-{number}" + (f":{aim}" if aim else "")
            if _honest(name, aim):
                found.append(name)
                break
    return found


def _honest(name: str, aim: str) -> bool:
    case = case_of(name)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where) / "out"
        try:
            release = method_class(case.method).from_json(case.parameters).anonymize(case.data, seed=case.seed)
            release.write(folder)
        except SfumatoError:
            return False
        models = [model.name for model, _ in release.verdicts]
        if len(release.data) < 4 or (aim and aim not in models) or not _rich(case, folder, aim):
            return False
        return noticed_by(folder, case.data) <= {"unchecked"}


def _rich(case: Case, folder: Path, aim: str) -> bool:
    """Whether there is something to tamper with."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    if case.method in ("seqanon", "zga", "cast", "apriori", "incognito", "cluster", "local", "r-first", "t-first"):
        return "members.csv" in files
    if case.method == "disassociate":  # once with joint clusters, once without
        clusters = parse_csv((folder / "clusters.csv").read_text("utf-8"))[1:]
        return len(clusters) > 1 and any(parent is not None for *_, parent in clusters) is bool(aim)
    if case.method == "coat":
        policy = case.data.privacy_policy
        return policy.size == 0 and len(policy.items) > 2 and "context/utility_policy.csv" in files
    return True


def tamper(case: str, name: str) -> Tampered | None:
    """Apply a change to the release of a case and see who notices; None where the change does not apply."""
    where = Path(tempfile.mkdtemp())
    try:
        made, release, files, honest = _honest_release(case)
        if name == "raw private data" and all(model.check(made.data).holds is True for model, _ in release.verdicts):
            return None  # data that keep the promise as they are may be published as they are
        for path, content in files.items():
            (where / "out" / path).parent.mkdir(parents=True, exist_ok=True)
            (where / "out" / path).write_bytes(content)
        copy = Copy(where / "out", made, Random(f"{case} {name}"))
        if CHANGES[name](copy) is False:
            return None
        said = Tampered(case, name, noticed_by(where / "out", made.data) - honest)
        if not said.by:
            said.found.append("nobody notices")
        elif EXPECTED.get(name) and not said.by & EXPECTED[name]:
            said.found.append(f"noticed by {sorted(said.by)} only, wanted one of {sorted(EXPECTED[name])}")
        return said
    except Exception:
        return Tampered(case, name, found=[f"crash: {traceback.format_exc(limit=-3)}"])
    finally:
        shutil.rmtree(where, ignore_errors=True)


@lru_cache(len(BASES))
def _honest_release(case: str) -> tuple[Case, Any, dict[Path, bytes], set[str]]:
    """A case, its release and the files of it, and who notices something about them as they are."""
    made = case_of(case)
    release = method_class(made.method).from_json(made.parameters).anonymize(made.data, seed=made.seed)
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where) / "out"
        release.write(folder)
        files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        return made, release, files, noticed_by(folder, made.data)


def noticed_by(folder: Path, original: Any) -> set[str]:
    """Who finds something wrong with a directory: verify, original, leaks, refusal; or cannot check it: unchecked."""
    by: set[str] = set()
    for way, given in (("verify", None), ("original", original)):
        try:
            check = verify(folder, original=given)
        except CallerError:
            by.add("refusal")
            continue
        if check.problems or any(verdict.holds is False for _, verdict in check.verdicts):
            by.add(way)
        if way == "verify" and any(verdict.holds == "not checkable" for _, verdict in check.verdicts):
            by.add("unchecked")
    try:
        if find_leaks(folder, original):
            by.add("leaks")
    except CallerError:
        by.add("refusal")
    return by
