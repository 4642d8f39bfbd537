"""The part of an audit that attacks a release with its original at hand, and single attacks on a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sfumato.catalogue import ATTACKS, attack_class
from sfumato.cli._options import load
from sfumato.cli._render import print_json, progress, say, table

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
    """Attack a published directory; 1 where a promise is beaten inside its assumptions."""
    from sfumato.attacks import Scene, weigh
    from sfumato.attacks.leaks import find_leaks, leak_finding
    from sfumato.attacks.promises import weigh_directory
    from sfumato.attacks.report import with_report
    from sfumato.attacks.scene import Exposed
    from sfumato.errors import FileError
    from sfumato.io import published

    asked = [attack_class(name) for name in dict.fromkeys(names)]
    if len(folders) > 2:
        raise click.UsageError("--against takes one published directory, or two for composition")
    if (input / published.CERTIFICATE).is_file():
        raise click.UsageError(f"{input} is a published directory; with --against, INPUT is the private file behind it")
    found = [published.read(folder) for folder in folders]
    original = _load_original(input, folders[0], found[0], said)
    leaks = leak_finding(find_leaks(folders[0], original))
    if found[0].data is None:
        if not leaks.facts["leaks"]:
            raise FileError(folders[0], found[0].problems[-1])
        _show_unreadable(folders[0], found[0].problems, leaks, as_json)
        return 1
    exposed = [Exposed.read(folder) for folder in folders]
    if report is not None:
        exposed[0] = with_report(exposed[0], report, original)
    scene = Scene.of(original, *exposed)
    _ = scene.seen  # a release of other data is refused before anything is attacked
    attacks = _fitting(asked, scene, given)
    with progress(not as_json) as advance:
        findings = [
            leaks if attack.name == "leaks" else attack.once(scene, seed=seed, progress=advance) for attack in attacks
        ]
        weighed = [*weigh(scene, seed=seed, progress=advance), weigh_directory(leaks)]
    beaten = any(one.beaten for one in weighed)
    unfit = [] if asked else [why for _, why in _unfit(scene, given)]
    if as_json:
        print_json(
            {
                "input": str(input),
                "against": [str(folder) for folder in folders],
                "problems": list(found[0].problems),
                "beaten": beaten,
                "promises": [one.to_json() for one in weighed],
                "attacks": [finding.to_json() for finding in findings],
                "unfit": unfit,
            }
        )
        return 1 if beaten else 0
    for problem in found[0].problems:
        say(f"✗ {problem}")
    _show(str(folders[0]), findings)
    for sentence in unfit:
        say(f"not tried: {sentence}")
    _show_promises(weighed)
    return 1 if beaten else 0


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


def _load_original(input: Path, folder: Path, found: Any, said: dict[str, Any]) -> Any:
    """The private file, read as the release says: its kind, and which column holds items."""
    from sfumato.data import ORIGINAL_KIND

    kind = found.certificate["kind"]
    if kind == "mixed" and said.get("items") is None:
        said["items"] = _column_of_items(folder)
    if said.get("kind") not in (None, ORIGINAL_KIND.get(kind, kind)):
        raise click.UsageError(f"--kind {said['kind']}: {folder} is a release of {ORIGINAL_KIND.get(kind, kind)}")
    return load(input, said, kind=ORIGINAL_KIND.get(kind, kind))


def _column_of_items(folder: Path) -> str | None:
    from sfumato.io.frames import read_csv

    path = folder / "context" / "roles.csv"
    if not path.is_file():
        return None
    roles = {row[-1]: row[0] for row in read_csv(path)[0].iter_rows()}
    return roles.get("items")


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
    say("A PROMISE WAS BEATEN." if any(one.beaten for one in weighed) else "Every promise that was measured held.")


def _show_unreadable(folder: Path, problems: tuple[str, ...], leaks: Any, as_json: bool) -> None:
    if as_json:
        print_json({"against": [str(folder)], "problems": list(problems), "beaten": True, "attacks": [leaks.to_json()]})
        return
    for problem in problems:
        say(f"✗ {problem}")
    _show(str(folder), [leaks])
    say("A PROMISE WAS BEATEN: the directory says more than its data.")
