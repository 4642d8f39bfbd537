"""The section "What attackers can do": attacks within the promise, promised against measured, and outside of it.

The public edition counts from the published files alone.  The private edition attacks the release with the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.attacks import Audit
from sfumato.attacks.attack_report import SIGNS, AttackReport
from sfumato.attacks.base import Finding
from sfumato.attacks.covers import find_covers
from sfumato.data import Chunks, Mixed, RoadTrajectories, Table
from sfumato.data.ragged import Ragged
from sfumato.experiments.reports.board.facts import SEED, Facts
from sfumato.experiments.reports.board.record_classes import row_class_sizes, size_shares
from sfumato.experiments.reports.board.table_risks import table_risks
from sfumato.experiments.reports.documents.document import Block, Bullets, Checks, Grid, Paragraph, State, Subheading
from sfumato.experiments.reports.documents.pictures import bars

__all__ = ["attack_blocks", "attacks", "beyond_sentence", "headlines", "percent", "whole_record_sentence"]

_OTHER_KIND = ", and these are "
_BUDGET = 20_000_000  # positions that the audit of the published data may read before it samples
_HEAD = ("attack", "what the attacker knows", "on average", "at worst", "by guessing", "within the promise")


def attacks(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section.  A further count of the published files is one more name in `_COUNTS`."""
    counts = () if facts.data is None else tuple(block for part in _COUNTS for block in part(facts))
    if facts.attacks is not None:
        return (*attack_blocks(facts.attacks), *counts)
    if facts.data is None:
        return (Paragraph("The published data cannot be read, so nothing was counted.", "alarm"),)
    first = Paragraph(
        "Without the original, attacks cannot be tried on real people. This edition counts in the published files what "
        "any recipient can count."
    )
    return (first, *_beyond(facts), *_whole_records(facts), *counts)


def whole_record_sentence(facts: Facts) -> str:
    """How often an attacker who knows a whole published record finds it; empty where no whole records are published."""
    sizes = facts.equal_records
    if sizes is None:
        return ""
    share, unique = len(sizes) / int(sizes.sum()), int((sizes == 1).sum()) / int(sizes.sum())
    outside = " The promise does not cover this attacker." if _knows_more(facts) else ""
    return (
        f"An attacker who knows a whole record as it is published finds it in {percent(share)} of cases: "
        f"{percent(unique)} of the published records are unique.{outside}"
    )


def _knows_more(facts: Facts) -> bool:
    """Whether knowing a whole record is more than every promise assumes: more than m labels, or further columns."""
    table = facts.data.table if isinstance(facts.data, Mixed) else facts.data
    further = isinstance(table, Table) and set(table.quasi_identifiers) != set(table.frame.columns)
    return all(further or hasattr(model, "m") for model in facts.release.models)


def percent(share: float) -> str:
    r"""A share in plain figures; it is never rounded to 0 or to 100.

    >>> [percent(share).replace("\xa0", " ") for share in (0, 0.0004, 0.0305, 0.5, 0.9299, 0.9999, 1)]
    ['0 %', '0.04 %', '3.0 %', '50 %', '93 %', '99.99 %', '100 %']
    """
    value = 100 * share
    if value in (0, 100) or 10 <= value <= 99:
        text = f"{value:.0f}"
    elif 0 < value < 0.01 or 99.99 < value < 100:
        text = "less than 0.01" if value < 1 else "more than 99.99"
    else:
        text = f"{value:.2f}" if value < 1 or value > 99 else f"{value:.1f}"
    return f"{text}\N{NO-BREAK SPACE}%"


# --- the private edition ---------------------------------------------------------------------------------------------


def attack_blocks(report: AttackReport) -> tuple[Block, ...]:
    """What attacks on a release achieved, given its original."""
    blocks: list[Block] = [Paragraph(report.verdict, "alarm" if report.beaten else "good")]
    if report.problems:
        blocks.append(Bullets(report.problems))
    tried = [finding for finding in report.findings if finding.tried and finding.attack != "leaks"]
    blocks += [Paragraph(sentence, "lead") for sentence in headlines(report)]
    if report.promises:
        blocks += [Subheading("Within the promise"), Checks(tuple(map(_promised, report.promises)))]
    covered = {finding.attack for finding in report.promises}
    if tried:
        blocks += [
            Subheading("All attacks"),
            Grid(
                "Success of attacks on this release",
                _HEAD,
                tuple(_row(finding, covered) for finding in tried),
                numbers=(2, 3, 4),
            ),
            bars(
                "Success on average, in percent of cases",
                [
                    (finding.title, None if finding.baseline is None else 100 * finding.baseline, 100 * finding.mean)
                    for finding in tried
                ],
                before="by guessing",
                after="with the release",
                unit="percent of cases",
                label=260,
            ),
        ]
    sentences = [f"{finding.title}: {' '.join(finding.sentences)}" for finding in report.findings]
    blocks += [Subheading("The attacks in sentences"), Bullets(tuple(sentences))]
    sampled = any(not finding.exact and finding.of is not None for finding in tried)
    if sampled:
        blocks.append(Paragraph(f"Where targets were drawn at random, the report draws them with the seed {SEED}."))
    return (*blocks, *_not_tried(report.unfit))


def _not_tried(unfit: Sequence[str]) -> list[Block]:
    """Attacks that do not suit the release; those for other kinds of data are only counted."""
    if not unfit:
        return []
    near = [sentence for sentence in unfit if _OTHER_KIND not in sentence]
    others = len(unfit) - len(near)
    if others:
        near.append(f"{others} other attack{'s are' if others > 1 else ' is'} for other kinds of data")
    return [Subheading("Not tried"), Bullets(tuple(near))]


def headlines(report: AttackReport) -> list[str]:
    """The attacker who knows a whole record, and the strongest attack, in a sentence each."""
    tried = [finding for finding in report.findings if finding.tried and finding.attack != "leaks"]
    first = [finding for finding in tried if finding.attack == "linkage"]
    strongest = max(tried, key=lambda finding: finding.mean, default=None)
    return [_sentence(finding) for finding in dict.fromkeys([*first, *([] if strongest is None else [strongest])])]


def _sentence(finding: Finding) -> str:
    guessed = "" if finding.baseline is None else f" (by guessing: {percent(finding.baseline)})"
    rate = f"in {finding.bound('mean')}{percent(finding.mean)} of cases{guessed}"
    if finding.attack == "linkage":
        return f"An attacker who knows {finding.knows} finds the published one {rate}."
    return (
        f"The strongest attack is {finding.title}: an attacker who knows {finding.knows} succeeds {rate}. "
        f"Success is {finding.success}."
    )


def _promised(result: Any) -> tuple[State, str, str]:
    states: dict[bool | None, State] = {True: "no", False: "yes", None: "open"}
    if result.beaten is None:
        return "open", result.promise, f"Not measured: {result.note}."
    about = f"Promised: {result.promised}. Measured: {result.measured}. Attacker: {result.attack}."
    return states[result.beaten], result.promise, f"{about} {result.note}".strip()


def _row(finding: Finding, covered: set[str]) -> tuple[str, ...]:
    mean, worst = (SIGNS[finding.bound(figure)] for figure in ("mean", "worst"))
    within = f"{finding.title}: {finding.knows}" in covered
    return (
        finding.title,
        finding.knows,
        f"{mean}{_short(finding.mean)}",
        f"{worst}{_short(finding.worst)}",
        "" if finding.baseline is None else _short(finding.baseline),
        "yes" if within else "no",
    )


def _short(share: float) -> str:
    return percent(share).replace("less than ", "< ").replace("more than ", "> ")


# --- what the published files show -----------------------------------------------------------------------------------


def beyond_sentence(figures: Mapping[str, Any]) -> str:
    """What one more known visit or item than the promise allows reveals; empty where it was not measured.

    >>> beyond_sentence({"known": 3, "smallest_anonymity_set": 1, "share_unique": "not measured"})
    'One more than the promise allows: an attacker who knows 3 finds an anonymity set of 1 at worst.'
    """
    known, smallest, unique = (figures.get(name) for name in ("known", "smallest_anonymity_set", "share_unique"))
    if not isinstance(known, int) or not isinstance(smallest, int):
        return ""
    share = f", and {percent(unique)} of the records become unique" if isinstance(unique, int | float) else ""
    return (
        f"One more than the promise allows: an attacker who knows {known} finds an anonymity set of {smallest:,} "
        f"at worst{share}."
    )


def _beyond(facts: Facts) -> list[Block]:
    """What one more known visit or item than the promise allows reveals, as the certificate states it."""
    sentences = [
        sentence for given in facts.certificate.guarantees if (sentence := beyond_sentence(given.beyond or {}))
    ]
    return [Bullets(tuple(sentences))] if sentences else []


def _whole_records(facts: Facts) -> list[Block]:
    sentence = whole_record_sentence(facts)
    if sentence:
        return [Paragraph(sentence, "lead")]
    if facts.synthetic:
        return [Paragraph("No published record belongs to a person, so finding a record reveals no person directly.")]
    return []


def _known_points(facts: Facts) -> list[Block]:
    """How many published records are unique to an attacker who knows a few of their labels."""
    data = facts.data.as_trajectories(by_interval=True) if isinstance(facts.data, RoadTrajectories) else facts.data
    if not isinstance(data, Ragged) or facts.synthetic or len(data) == 0:
        return []
    findings = Audit(known=1, budget=_BUDGET).run(data, seed=SEED)
    rows = [
        (f"{known} {facts.data.element}{'' if known == 1 else 's'}", None, 100 * findings.figure("unique_worst", known))
        for known in range(1, len(findings.risks) + 1)
    ]
    about = "Published records that are unique to an attacker who knows the most identifying labels of the record"
    figure = bars("Unique records in percent, by what is known", rows, unit="percent of published records")
    return [Subheading("Unique records"), Paragraph(f"{about}, as published."), figure, *_notes(findings.notes)]


def _notes(notes: Sequence[str]) -> list[Block]:
    return [Bullets(tuple(notes))] if notes else []


def _classes(facts: Facts) -> list[Block]:
    """How many rows share their quasi-identifiers."""
    table = facts.data.table if isinstance(facts.data, Mixed) else facts.data
    if not isinstance(table, Table) or facts.synthetic or len(table) == 0:
        return []
    sizes = row_class_sizes(table)
    rows = [(label, None, 100 * share) for label, share in size_shares(sizes)]
    return [
        Subheading("How many rows look alike"),
        Paragraph(
            f"Rows with the same quasi-identifiers form an equivalence class. The smallest of the {len(sizes):,} "
            f"classes has {int(sizes.min()):,} rows, the largest {int(sizes.max()):,}."
        ),
        bars("Rows in percent, by the size of their class", rows, unit="percent of published rows"),
    ]


def _covers(facts: Facts) -> list[Block]:
    """Of chunks, the items that never appear without another one."""
    if not isinstance(facts.data, Chunks):
        return []
    return [Subheading("Items that are always together"), Bullets(tuple(find_covers(facts.data).sentences))]


_COUNTS = (_known_points, _classes, table_risks, _covers)
