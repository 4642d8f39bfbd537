"""The part of an audit that attacks a release with its original at hand, and single attacks on a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import ATTACKS, attack_class
from sfumato.cli.shared.options import load
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, progress, say, table

if TYPE_CHECKING:
    from sfumato.io.published.directory import Published

__all__ = ["attack_file", "attack_release"]

_HEAD = ("attack", "mean", "worst", "guessing", "control", "tried")


def attack_release(
    input: Path,
    folders: tuple[Path, ...],
    names: tuple[str, ...],
    report: Path | None,
    seed: int | None,
    given: dict[str, Any],
    as_json: bool,
    said: dict[str, Any],
) -> int:
    """Attack published directories; 1 where a promise is beaten inside its assumptions or a directory is not sound."""
    from sfumato.attacks import Scene
    from sfumato.attacks.promises.weighing import weigh_directory
    from sfumato.attacks.view.private_report import with_report
    from sfumato.errors import CallerError
    from sfumato.io.published import directory as published

    asked = [attack_class(name) for name in dict.fromkeys(names)]
    if len(folders) > 2:
        raise click.UsageError("--against takes one published directory, or two for composition")
    if (input / published.CERTIFICATE).is_file():
        raise click.UsageError(f"{input} is a published directory; with --against, INPUT is the private file behind it")
    found = [published.read(folder) for folder in folders]
    original = _load_original(input, found[0], said)
    called = dict(zip(_called(folders), found, strict=True))
    leaks = _leaks_of(called, original)
    problems = [problem for name, one in called.items() for problem in _said_of(name, one.problems)]
    exposed = _exposed(called, problems)
    if len(exposed) < len(folders):
        _show_unreadable(folders, problems, leaks, as_json)
        return 1
    if report is not None:
        exposed[0] = with_report(exposed[0], report, original)
    scene = Scene.of(original, *exposed)
    scenes = dict(zip(called, [scene, *(Scene.of(original, one) for one in exposed[1:])], strict=True))
    _ = [one.seen for one in scenes.values()]  # a release of other data is refused before anything is attacked
    attacks = _fitting(asked, scene, given)
    with progress(not as_json) as advance:
        findings, refused = [], []
        for attack in attacks:
            try:
                findings.append(leaks if attack.name == "leaks" else attack.once(scene, seed=seed, progress=advance))
            except CallerError as refusal:  # seen only at work, such as by a method that is run again
                if asked:
                    raise
                refused.append(str(refusal))
        weighed = [one for name, scene in scenes.items() for one in _weighed(name, scene, seed, advance)]
        weighed.append(weigh_directory(leaks, problems))
    beaten = any(one.beaten for one in weighed)
    unfit = [] if asked else [*(why for _, why in _unfit(scene, given)), *refused]
    if as_json:
        print_json(
            {
                "input": str(input),
                "against": [str(folder) for folder in folders],
                "problems": problems,
                "beaten": beaten,
                "promises": [one.to_json() for one in weighed],
                "attacks": [finding.to_json() for finding in findings],
                "unfit": unfit,
            }
        )
        return 1 if beaten else 0
    for problem in problems:
        say(f"✗ {problem}")
    _show(" and ".join(str(folder) for folder in folders), findings)
    for sentence in unfit:
        say(f"not tried: {sentence}")
    _show_promises(weighed)
    return 1 if beaten else 0


def _called(folders: tuple[Path, ...]) -> list[str]:
    """What the directories are called in front of a sentence: a single one need not be named."""
    if len(folders) == 1:
        return [""]
    apart = len({folder.name for folder in folders}) == len(folders)
    names = [folder.name if apart else str(folder) for folder in folders]
    if len(set(names)) < len(names):
        names = [f"{name} ({at})" for at, name in enumerate(names, start=1)]
    return names


def _said_of(name: str, sentences: Any) -> list[str]:
    return [f"{name}: {sentence}" if name else sentence for sentence in sentences]


def _leaks_of(called: dict[str, Published], original: Any) -> Any:
    """What the directories leak, as one finding."""
    from sfumato.attacks.leaks.search import find_leaks, leak_finding

    found = [(name, leak) for name, one in called.items() for leak in find_leaks(one, original, derived=True)]
    return leak_finding([replace(leak, file=f"{name}/{leak.file}") if name else leak for name, leak in found])


def _exposed(called: dict[str, Published], problems: list[str]) -> list[Any]:
    """The releases that can be read; why another cannot becomes a problem."""
    from sfumato.attacks.view.setting import Exposed
    from sfumato.errors import FileError

    found = []
    for name, one in called.items():
        try:
            found.append(Exposed.read(one))
        except FileError as error:
            said = _said_of(name, [str(error).removeprefix(f"{one.folder}: ")])
            problems += [sentence for sentence in said if sentence not in problems]
    return found


def _weighed(name: str, scene: Any, seed: int | None, advance: Any) -> list[Any]:
    from sfumato.attacks import weigh

    found = weigh(scene, seed=seed, progress=advance)
    return [replace(one, promise=f"{name}: {one.promise}") if name else one for one in found]


def attack_file(
    input: Path, names: tuple[str, ...], seed: int | None, given: dict[str, Any], as_json: bool, said: dict[str, Any]
) -> None:
    """Single attacks on data as they are."""
    from sfumato.attacks import Scene

    asked = [attack_class(name) for name in dict.fromkeys(names)]
    for attack in asked:
        if attack.against:
            raise click.UsageError(f"{attack.name} attacks a release: say which (--against DIR)")
    scene = Scene.of(load(input, said, fits=("trajectories", "transactions")))
    attacks = _fitting(asked, scene, given)
    with progress(not as_json) as advance:
        findings = [attack.run(scene, seed=seed, progress=advance) for attack in attacks]
    if as_json:
        print_json({"input": str(input), "attacks": [finding.to_json() for finding in findings]})
        return
    _show(str(input), findings)


def _load_original(input: Path, found: Published, said: dict[str, Any]) -> Any:
    """The private file, read as the release says: its kind, which column holds items, which network it is on."""
    kind = found.certificate.original_kind
    if said.get("kind") not in (None, kind):
        raise click.UsageError(f"--kind {said['kind']}: {found.folder} is a release of {kind}")
    return load(input, as_told_by(found, said), kind=kind)


def _made(declared: Any, given: dict[str, Any]) -> Any:
    """The attack with what was said on the command line, as far as it has such a parameter."""
    known = {parameter.name for parameter in declared.parameters()}
    return declared(**{name: value for name, value in given.items() if name in known})


def _unfit(scene: Any, given: dict[str, Any]) -> list[tuple[str, str]]:
    tried = [(name, _made(attack_class(name), given)) for name in ATTACKS]
    tried = [(name, attack) for name, attack in tried if scene.releases or not attack.against]
    return [(name, why) for name, attack in tried if (why := attack.unfit(scene)) is not None]


def _fitting(asked: list[Any], scene: Any, given: dict[str, Any]) -> list[Any]:
    """The attacks that were asked for, or all that fit; one that does not fit is refused with those that do."""
    unfit = dict(_unfit(scene, given))
    fit = [name for name in ATTACKS if name not in unfit and (scene.releases or not attack_class(name).against)]
    for declared in asked:
        if declared.name in unfit:
            raise click.UsageError(f"{unfit[declared.name]}; those that fit are {', '.join(fit)}")
    return [_made(declared, given) for declared in asked or [attack_class(name) for name in fit]]


def _show(what: str, findings: list[Any]) -> None:
    rows = []
    for found in findings:
        bound = "≤ " if found.at_most else ""
        low, high = found.interval
        spread = "" if found.exact else f" ({low:.1%}-{high:.1%})"
        tried = f"{found.tried:,}" if found.exact or found.of is None else f"{found.tried:,} of {found.of:,}"
        if found.tried == 0:  # nobody to try it on
            rows.append((found.attack, "-", "-", "-", "-", tried))
            continue
        rows.append(
            (
                found.attack,
                f"{bound}{found.mean:.1%}{spread}",
                f"{bound}{found.worst:.1%}",
                "" if found.baseline is None else f"{found.baseline:.1%}",
                "" if found.control is None else f"{found.control:.1%}",
                tried,
            )
        )
    table(f"{what}: how often attackers succeed", _HEAD, rows)
    for found in findings:
        say(f"{found.title}")
        for sentence in found.sentences:
            say(f"- {sentence}")
    say()


def _show_promises(weighed: list[Any]) -> None:
    rows = [(one.promise, one.attack or one.note, one.promised, one.measured, one.verdict) for one in weighed]
    table("what was promised, and what attackers inside the promise achieved", (
        "promise", "attacker", "promised", "measured", "",
    ), rows)  # fmt: skip
    for one in weighed:
        if one.note and one.attack:
            say(f"- {one.promise}: {one.note}.")
    say(_verdict(weighed))


def _verdict(weighed: list[Any]) -> str:
    """The last sentence, which does not pass over what was not measured."""
    promises = {one.promise for one in weighed}
    missed = {one.promise for one in weighed if one.beaten is None}
    lacking = f"{len(missed)} of {len(promises)} promises were not measured"
    if any(one.beaten for one in weighed):
        return f"A PROMISE WAS BEATEN; {lacking}." if missed else "A PROMISE WAS BEATEN."
    return f"{lacking}; what was measured held." if missed else "Every promise that was measured held."


def _show_unreadable(folders: tuple[Path, ...], problems: list[str], leaks: Any, as_json: bool) -> None:
    names = [str(folder) for folder in folders]
    if as_json:
        print_json({"against": names, "problems": problems, "beaten": True, "attacks": [leaks.to_json()]})
        return
    for problem in problems:
        say(f"✗ {problem}")
    _show(" and ".join(names), [leaks])
    say("A PROMISE WAS BEATEN: the directory is not one that a release is written to.")
