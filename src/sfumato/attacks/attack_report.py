"""Every attack that fits a release, and each promise beside what attackers inside its assumptions achieved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sfumato.attacks.base import Attack, Finding
from sfumato.attacks.leaks.search import find_leaks, leak_finding
from sfumato.attacks.promises.weighing import PromiseResult, weigh, weigh_directory
from sfumato.attacks.view.private_report import with_report
from sfumato.attacks.view.setting import AttackSetting, Exposed
from sfumato.catalogue import ATTACKS, attack_class
from sfumato.data import Dataset
from sfumato.data.base import Progress, Tabular
from sfumato.errors import CallerError, DataError, FileError, counted
from sfumato.html import card_html
from sfumato.io.published.directory import Published, as_published
from sfumato.params import JsonObject
from sfumato.remedies import keep_remedy
from sfumato.threads import one_at_a_time, side_by_side

if TYPE_CHECKING:
    from sfumato.semantics.publishing.place_facts import PlaceFacts

__all__ = ["SEED", "SIGNS", "AttackReport", "UnfitAttack", "attack_data", "attack_releases"]

SIGNS = {"": "", "at most ": "≤ ", "at least ": "≥ ", "about ": "~ "}
"""How a table shows what `Finding.bound` says."""
SEED = 0
"""Draws targets where no seed is given, so that every command finds the same figures; findings state it."""
HEAD = ("attack", "mean", "worst", "guessing", "control", "tried")


class UnfitAttack(DataError):
    """An attack was asked for that says nothing about these data."""


@dataclass(frozen=True, eq=False)
class AttackReport(Tabular):
    """What attacks achieved, and which promises they beat; nothing about anybody.

    findings : what each attack achieved.  promises : each promise beside the attackers that it allows for.
    unfit : why other attacks were not tried.  problems : what does not fit the certificates.
    readable : whether the releases could be read; where not, only the leaks were looked for.
    """

    findings: tuple[Finding, ...]
    promises: tuple[PromiseResult, ...] = ()
    unfit: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    readable: bool = True

    def __repr__(self) -> str:
        return f"<AttackReport: {counted(len(self.findings), 'attack')}. {self.verdict}>"

    def _repr_html_(self) -> str:
        rows = [attack_row(finding) for finding in self.findings]
        promises = [f"{result.promise}: {result.verdict}. {result.note}" for result in self.promises]
        return card_html(repr(self), HEAD, rows, len(rows), [*self.problems, *promises, *self.unfit])

    @property
    def beaten(self) -> bool:
        """Whether an attack achieved more than a promise allows, or a release cannot be read."""
        return not self.readable or any(result.beaten for result in self.promises)

    @property
    def verdict(self) -> str:
        """The answer in a sentence, which does not pass over what was not measured."""
        if not self.readable:
            return "A PROMISE DOES NOT HOLD: sfumato does not write such a directory."
        if not self.promises:
            return "No promise was checked."
        promises = {result.promise for result in self.promises}
        missed = {result.promise for result in self.promises if result.beaten is None}
        lacking = f"{len(missed)} of {len(promises)} promises were not measured"
        if self.beaten:
            return f"A PROMISE DOES NOT HOLD; {lacking}." if missed else "A PROMISE DOES NOT HOLD."
        return f"{lacking}; the others hold in these attacks." if missed else "Every promise holds in these attacks."

    def to_polars(self) -> pl.DataFrame:
        """A row an attack.

        Columns: attack, title, unit, tried, targets, mean, low, high, worst, baseline, control, at_most, exact.
        """
        rows = [
            (
                *(finding.attack, finding.title, finding.unit, finding.tried, finding.of),
                *(
                    finding.mean,
                    *finding.interval,
                    finding.worst,
                    finding.baseline,
                    finding.control,
                    finding.at_most,
                    finding.exact,
                ),
            )
            for finding in self.findings
        ]
        texts = dict.fromkeys(("attack", "title", "unit"), pl.String)
        figures = dict.fromkeys(("mean", "low", "high", "worst", "baseline", "control"), pl.Float64)
        answers = dict.fromkeys(("at_most", "exact"), pl.Boolean)
        schema = {**texts, "tried": pl.Int64, "targets": pl.Int64, **figures, **answers}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def to_json(self) -> JsonObject:
        attacks = [finding.to_json() for finding in self.findings]
        if not self.readable:
            return {"problems": list(self.problems), "beaten": True, "attacks": attacks}
        return {
            "problems": list(self.problems),
            "beaten": self.beaten,
            "promises": [result.to_json() for result in self.promises],
            "attacks": attacks,
            "unfit": list(self.unfit),
        }


def attack_row(finding: Finding) -> tuple[str, ...]:
    """For people: one attack as a row of the table."""
    mean, worst = (SIGNS[finding.bound(figure)] for figure in ("mean", "worst"))
    low, high = finding.interval
    spread = "" if finding.exact else f" ({low:.1%}-{high:.1%})"
    counted = finding.complete or finding.of is None
    tried = f"{finding.tried:,}" if counted else f"{finding.tried:,} of {finding.of:,}"
    if finding.tried == 0:  # nobody to try it on
        return (finding.attack, "-", "-", "-", "-", tried)
    return (
        finding.attack,
        f"{mean}{finding.mean:.1%}{spread}",
        f"{worst}{finding.worst:.1%}",
        "" if finding.baseline is None else f"{finding.baseline:.1%}",
        "" if finding.control is None else f"{finding.control:.1%}",
        tried,
    )


def attack_data(
    data: Dataset,
    names: Sequence[str] = (),
    *,
    parameters: Mapping[str, Any] | None = None,
    facts: PlaceFacts | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> AttackReport:
    """Try attacks on data as they are: those of these names, or all that fit.

    parameters : given to every attack that has a parameter of this name.  seed : 0 unless given.
    facts : what open data state about places, for an attacker with a knowledge base.
    """
    setting, seed = AttackSetting.of(data, facts=facts), SEED if seed is None else seed
    chosen = _fitting(_classes(names), setting, parameters or {})
    tell = one_at_a_time(progress)
    return AttackReport(tuple(side_by_side(lambda attack: attack.run(setting, seed=seed, progress=tell), chosen)))


def attack_releases(
    original: Dataset,
    releases: Sequence[Any],
    names: Sequence[str] = (),
    *,
    parameters: Mapping[str, Any] | None = None,
    report: str | Path | None = None,
    facts: PlaceFacts | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> AttackReport:
    """Attack releases of the original, of which the first is attacked in every way that fits.

    releases : published directories, as paths or read already, `Release` objects or published datasets.
    report : the private report of the first release, which tells who is who.  seed : 0 unless given.
    facts : what open data state about places, for an attacker with a knowledge base.
    """
    asked, given, seed = _classes(names), parameters or {}, SEED if seed is None else seed
    called = _called([as_published(release) if isinstance(release, str | Path) else release for release in releases])
    directories = {name: release for name, release in called.items() if isinstance(release, Published)}
    problems = [text for name, release in directories.items() for text in _of(name, release.problems)]
    leaks = _leaks_of(directories, original)
    exposed = _exposed(called, problems)
    if len(exposed) < len(releases):
        return AttackReport((leaks,), problems=tuple(problems), readable=False)
    if report is not None:
        exposed[0] = with_report(exposed[0], report, original)
    setting = AttackSetting.of(original, *exposed, facts=facts)
    scenes = dict(
        zip(called, [setting, *(AttackSetting.of(original, release) for release in exposed[1:])], strict=True)
    )
    _ = [release.seen for release in scenes.values()]  # a release of other data is refused before anything is attacked
    tell = one_at_a_time(progress)

    def finding(attack: Attack) -> Finding | CallerError:
        try:
            return leaks if attack.name == "leaks" else attack.once(setting, seed=seed, progress=tell)
        except CallerError as refusal:  # seen only at work, such as by a method that is run again
            return refusal

    findings, refused = [], []
    for found in side_by_side(finding, _fitting(asked, setting, given)):
        if isinstance(found, Finding):
            findings.append(found)
        elif asked:
            raise found
        else:
            refused.append(str(found))
    weighed = [release for name, setting in scenes.items() for release in _weighed(name, setting, seed, progress)]
    if directories:
        weighed.append(weigh_directory(leaks, problems))
    unfit = [] if asked else [*(why for _, why in _unfit(setting, given)), *refused]
    return AttackReport(tuple(findings), tuple(weighed), tuple(unfit), tuple(problems))


def _called(releases: Sequence[Any]) -> dict[str, Any]:
    """The releases by what they are called in front of a sentence: a single one need not be named."""
    if len(releases) == 1:
        return {"": releases[0]}
    paths = [release.folder if isinstance(release, Published) else None for release in releases]
    texts = [f"release {number}" if path is None else str(path) for number, path in enumerate(paths, start=1)]
    short = [text if path is None else path.name for path, text in zip(paths, texts, strict=True)]
    names = short if len(set(short)) == len(short) else texts
    if len(set(names)) < len(names):
        names = [f"{name} ({number})" for number, name in enumerate(names, start=1)]
    return dict(zip(names, releases, strict=True))


def _of(name: str, sentences: Iterable[str]) -> list[str]:
    return [f"{name}: {sentence}" if name else sentence for sentence in sentences]


def _leaks_of(directories: Mapping[str, Published], original: Dataset) -> Finding:
    """What the directories leak, as one finding."""
    leaks = [
        (name, leak)
        for name, published in directories.items()
        for leak in find_leaks(published, original, derived=True)
    ]
    return leak_finding([replace(leak, file=f"{name}/{leak.file}") if name else leak for name, leak in leaks])


def _exposed(called: Mapping[str, Any], problems: list[str]) -> list[Exposed]:
    """The releases that can be read; why another cannot becomes a problem."""
    exposed = []
    for name, release in called.items():
        if not isinstance(release, Published):
            exposed.append(Exposed.of(release) if hasattr(release, "verdicts") else Exposed(release))
            continue
        try:
            exposed.append(Exposed.read(release))
        except FileError as error:
            sentences = _of(name, [str(error).removeprefix(f"{release.folder}: ")])
            problems += [sentence for sentence in sentences if sentence not in problems]
    return exposed


def _weighed(name: str, setting: AttackSetting, seed: int | None, progress: Progress | None) -> list[PromiseResult]:
    promises = weigh(setting, seed=seed, progress=progress)
    return [replace(result, promise=f"{name}: {result.promise}") if name else result for result in promises]


def _classes(names: Sequence[str]) -> list[type[Attack]]:
    return [ATTACKS.choose(name) for name in dict.fromkeys(names)]


def _with(declared: type[Attack], given: Mapping[str, Any]) -> Attack:
    """The attack with the parameters that it has among those that were given."""
    known = {parameter.name for parameter in declared.parameters()}
    return declared(**{name: value for name, value in given.items() if name in known})


def _unfit(setting: AttackSetting, given: Mapping[str, Any]) -> list[tuple[str, str]]:
    tried = [(name, _with(attack_class(name), given)) for name in ATTACKS]
    tried = [(name, attack) for name, attack in tried if setting.releases or not attack.against]
    return [(name, why) for name, attack in tried if (why := attack.unfit(setting)) is not None]


def _fitting(asked: list[type[Attack]], setting: AttackSetting, given: Mapping[str, Any]) -> list[Attack]:
    """The attacks that were asked for, or all that fit; one that does not fit is refused with those that do."""
    unfit = dict(_unfit(setting, given))
    fit = [name for name in ATTACKS if name not in unfit and (setting.releases or not attack_class(name).against)]
    for declared in asked:
        if declared.against and not setting.releases:
            raise UnfitAttack(f"{declared.name} attacks a release, and none is given; give one")
        if declared.name in unfit:
            why = unfit[declared.name]
            raise UnfitAttack(keep_remedy(f"{why}; attacks that fit are {', '.join(fit)}", why))
    return [_with(declared, given) for declared in asked or [attack_class(name) for name in fit]]
