"""What a user writes, for mypy: every public function and the types of what it returns.

This file is checked and never run.  An ignored line is a mistake that mypy must find.
"""

from pathlib import Path
from typing import assert_type

import polars as pl

import sfumato
from sfumato import (
    Chunks,
    Dataset,
    DiffPart,
    Disassociate,
    Icba,
    Incognito,
    Mixed,
    Places,
    Release,
    RoadTrajectories,
    RumBound,
    SeqAnon,
    Table,
    Taxonomy,
    Trajectories,
    Transactions,
    Verdict,
    advise,
    anonymize,
    audit,
    compare,
    evaluate,
    read,
    read_places,
    report,
    verify,
)
from sfumato.api.comparing import ReleaseComparison
from sfumato.api.data_audit import DataAudit
from sfumato.attacks.attack_report import AttackReport
from sfumato.experiments.advice.advice import Advice
from sfumato.experiments.comparison import Comparison
from sfumato.experiments.evaluation import Evaluation
from sfumato.experiments.reports.board.board_report import BoardReport
from sfumato.privacy import KmAnonymity, PrivacyModel
from sfumato.utility.base import Score
from sfumato.utility.queries import Are
from sfumato.verification import Check

# reading
walks = read("visits.csv", kind="trajectories", places="places.csv")
assert_type(walks, Trajectories)
assert_type(walks.to_lists(), list[list[str]])
assert_type(walks.places, Places | None)
assert_type(read("roads.csv", kind="roads", network=Path("map")), RoadTrajectories)
assert_type(read("baskets.dat", kind="transactions", taxonomy="items.csv"), Transactions)
assert_type(read(pl.DataFrame({"age": [30]}), kind="table", quasi_identifiers=("age",)), Table)
assert_type(read({"age": [30], "items": ["tea"]}, kind="mixed"), Mixed)
anything = read("visits.csv")
assert_type(anything, Dataset)
assert_type(anything.to_polars(), pl.DataFrame)
assert_type(read_places("places.csv"), Places)
read("visits.csv", colums={})  # type: ignore[call-overload]

# methods and releases
release = SeqAnon(k=5, m=2).anonymize(walks, seed=1)
assert_type(release, Release[Trajectories])
assert_type(release.data, Trajectories)
assert_type(release.data.members, dict[str, tuple[str, ...]])
assert_type(release.verdicts, tuple[tuple[PrivacyModel, Verdict], ...])
assert_type(release.holds, bool)
assert_type(Disassociate(k=5, m=2).anonymize(pl.DataFrame()).data, Chunks)
assert_type(DiffPart(epsilon=1.0).anonymize(anything).data, Transactions)
assert_type(Incognito(k=5).anonymize(anything).data, Table)
assert_type(Icba(k=5).anonymize(anything).data, RoadTrajectories)
assert_type(RumBound(k=5, m=2, delta=0.5).anonymize(anything).data, Mixed)
SeqAnon(k="5", m=2)  # type: ignore[arg-type]
release.data.frame  # type: ignore[attr-defined]  # noqa: B018
sfumato.nonsense  # type: ignore[attr-defined]  # noqa: B018

# the functions
assert_type(anonymize(walks, SeqAnon(k=5, m=2)), Release[Trajectories])
assert_type(anonymize("visits.csv", "seqanon", k=5, m=2, seed=1), Release[Dataset])
assert_type(audit(walks, known=3), DataAudit)
assert_type(audit("people.csv", quasi_identifiers=["age"], sensitive="ill", population_size=10**6), DataAudit)
assert_type(audit(walks, against=release), AttackReport)
assert_type(audit("visits.csv", against=["first", "second"], attacks=["linkage"]), AttackReport)
assert_type(advise(walks, KmAnonymity(k=5, m=2), ["are"]), Advice)
assert_type(advise(walks, "km", k=5, m=2, seconds=60), Advice)
assert_type(evaluate(walks, release, ["are", Are(queries=50)]), Evaluation)
assert_type(evaluate("visits.csv", "published").to_polars(), pl.DataFrame)
assert_type(compare(walks, [SeqAnon(k=5, m=2), release, "published"], ["are"]), ReleaseComparison)
assert_type(compare("k.toml", out="results"), Comparison)
assert_type(verify("published", original=walks), Check)
assert_type(verify(release), Check)
assert_type(verify(walks, KmAnonymity(k=5, m=2)).holds, bool)
assert_type(report(release), BoardReport)
assert_type(report("published", walks, "private.json", ledger="walks.ledger").to_pdf(), bytes)
assert_type(Are(queries=50)(walks, release), Score)
assert_type(Are(queries=50)(walks, release.data), Score)


def publish(any_release: Release[Dataset], tree: Taxonomy) -> Path:
    """A function for every kind of release takes a release of one kind."""
    assert_type(tree.leaves, tuple[str, ...])
    return any_release.write("out").path


publish(release, Taxonomy({"all": None}))
