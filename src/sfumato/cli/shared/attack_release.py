"""The part of an audit that attacks a release, given its original, and single attacks on a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.catalogue import ATTACKS
from sfumato.cli.shared.flags import with_flags
from sfumato.cli.shared.options import load, side_paths
from sfumato.cli.shared.original_input import as_told_by
from sfumato.cli.shared.render import print_json, progress, say, table

if TYPE_CHECKING:
    from sfumato.attacks import Finding, PromiseResult
    from sfumato.attacks.attack_report import AttackReport
    from sfumato.io.published.directory import Published
    from sfumato.semantics.publishing.place_facts import PlaceFacts

__all__ = ["attack_file", "attack_release"]


def attack_release(
    input: Path,
    folders: tuple[Path, ...],
    names: tuple[str, ...],
    report: Path | None,
    seed: int | None,
    given: dict[str, Any],
    as_json: bool,
    options: dict[str, Any],
    *,
    out: Path | None = None,
    kb: Path | None = None,
) -> int:
    """Attack published directories; the exit code is 1 if a promise is broken or a directory is not sound.

    out : a private page or PDF to write as well.  kb : the knowledge base of the attacker.
    """
    from sfumato.attacks.attack_report import UnfitAttack, attack_releases
    from sfumato.io.published import directory as published

    for name in names:
        ATTACKS.choose(name)
    if len(folders) > 2:
        raise click.UsageError("--against: wanted one published directory, or two for composition, found more")
    if (input / published.CERTIFICATE).is_file():
        raise click.UsageError(
            f"{input} is a published directory; with --against, give its original, the private file, as INPUT"
        )
    if out is not None:
        _require_out(out, [input, *folders, report, kb, *side_paths(options)])
    releases = [published.read(folder) for folder in folders]
    original = _load_original(input, releases[0], options)
    facts = _facts(kb)
    with progress(not as_json) as advance:
        try:
            result = attack_releases(
                original, releases, names, parameters=given, report=report, facts=facts, seed=seed, progress=advance
            )
        except UnfitAttack as unfit:
            raise click.UsageError(with_flags(unfit)) from None
    if out is not None:
        from sfumato.experiments.reports.board.board_report import write_attacks

        write_attacks(result, out, title=f"Attacks on {' and '.join(folder.name for folder in folders)}")
    if as_json:
        named = {"input": str(input)} if result.readable else {}
        print_json({**named, "against": [str(folder) for folder in folders], **result.to_json()})
    else:
        _show_report(" and ".join(str(folder) for folder in folders), result)
        if out is not None:
            say(f"{out} is private: it holds figures about the original.")
    return 1 if result.beaten else 0


def _require_out(out: Path, inputs: list[Path | None]) -> None:
    from sfumato.experiments.reports.board.board_report import require_document

    require_document(out, "page of attacks", private=True, inputs=[path for path in inputs if path is not None])


def _facts(kb: Path | None) -> PlaceFacts | None:
    """What a knowledge base states about its places."""
    if kb is None:
        return None
    from sfumato.semantics.publishing.knowledge_places import KnowledgePlaces

    return KnowledgePlaces.of(kb).facts


def attack_file(
    input: Path,
    names: tuple[str, ...],
    seed: int | None,
    given: dict[str, Any],
    as_json: bool,
    options: dict[str, Any],
    *,
    kb: Path | None = None,
) -> None:
    """Single attacks on data as they are: a file or, with a knowledge base, also a published directory."""
    from sfumato.attacks.attack_report import UnfitAttack, attack_data

    for attack in [ATTACKS.choose(name) for name in dict.fromkeys(names)]:
        if attack.against:
            raise click.UsageError(f"{attack.name} attacks a release; name its directory (--against DIR)")
    data = _load_data(input, options, may_be_release=kb is not None)
    facts = _facts(kb)
    with progress(not as_json) as advance:
        try:
            result = attack_data(data, names, parameters=given, facts=facts, seed=seed, progress=advance)
        except UnfitAttack as unfit:
            raise click.UsageError(with_flags(unfit)) from None
    if as_json:
        print_json({"input": str(input), "attacks": [finding.to_json() for finding in result.findings]})
        return
    _show(str(input), result.findings)


def _load_data(input: Path, options: dict[str, Any], *, may_be_release: bool) -> Any:
    from sfumato.io.published import directory as published

    if may_be_release and (input / published.CERTIFICATE).is_file():
        return published.read(input).require_data()
    return load(input, options, fits=("trajectories", "transactions"))


def _load_original(input: Path, release: Published, options: dict[str, Any]) -> Any:
    """The private file, read as the release says: its kind, which column holds items, which network it is on."""
    kind = release.certificate.original_kind
    if options.get("kind") not in (None, kind):
        raise click.UsageError(f"--kind {options['kind']}: {release.folder} is a release of {kind}")
    return load(input, as_told_by(release, options), kind=kind)


def _show_report(what: str, result: AttackReport) -> None:
    for problem in result.problems:
        say(f"✗ {problem}")
    _show(what, result.findings)
    for sentence in result.unfit:
        say(f"not tried: {with_flags(sentence)}")
    if result.readable:
        _show_promises(result.promises)
    say(result.verdict)


def _show(what: str, findings: tuple[Finding, ...]) -> None:
    from sfumato.attacks.attack_report import HEAD, attack_row

    table(f"{what}: success rates of attacks", HEAD, [attack_row(finding) for finding in findings])
    for finding in findings:
        say(f"{finding.title}")
        for sentence in finding.sentences:
            say(f"- {with_flags(sentence)}")
    say()


def _show_promises(weighed: tuple[PromiseResult, ...]) -> None:
    rows = [
        (result.promise, result.attack or result.note, result.promised, result.measured, result.verdict)
        for result in weighed
    ]
    table("promises, and what attackers with the assumed background knowledge achieved", (
        "promise", "attacker", "promised", "measured", "",
    ), rows)  # fmt: skip
    for result in weighed:
        if result.note and result.attack:
            say(f"- {result.promise}: {with_flags(result.note)}.")
