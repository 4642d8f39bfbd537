"""`sfumato demo`: attack, anonymize, verify and publish generated data, in less than a minute."""

from __future__ import annotations

from pathlib import Path

import click

from sfumato.cli.shared.options import json_option
from sfumato.cli.shared.render import bars, print_json, progress, say, table, verdict_lines

__all__ = ["command"]

KNOWN = (1, 2, 3)
MEASURES = ("displacement", "intact", "label-size")


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The directory to write [default: demo-release, with a number if it exists].",
)
@json_option
def command(out: Path | None, as_json: bool) -> int:
    """Attack, anonymize and verify a small generated town."""
    from sfumato.attacks.uniqueness import unique_share
    from sfumato.catalogue import measure_class
    from sfumato.generate import Checkins
    from sfumato.io.outputs import require_fresh
    from sfumato.methods.trajectories.seqanon.seqanon import SeqAnon
    from sfumato.verification import verify

    out = out or _free_name(Path("demo-release"))
    require_fresh(out)
    town = Checkins(trajectories=30_000, locations=150, persons=10_000, mean_length=3.5).make(seed=7)
    if not as_json:
        say(f"A small town: {len(town.persons or ()):,} persons, {len(town):,} days, {len(town.places or ())} places.")
    before = {known: unique_share(town, known) for known in KNOWN}
    method = SeqAnon(k=5, m=2)
    with progress(not as_json) as advance:
        release = method.anonymize(town, progress=advance)
    seconds = sum(release.seconds.values())
    scores = {name: measure_class(name)()(town, release) for name in MEASURES}
    # the attacker knows original visits and finds their labels in members.csv
    published = release.data.with_persons(release.persons)
    after = {known: unique_share(published, known) for known in KNOWN}
    release.write(out)
    check = verify(out, original=town)
    if as_json:
        print_json(
            {
                "out": str(out),
                "holds": release.holds and check.holds,
                "unique_before": before,
                "unique_after": after,
                "measures": {name: score.value for name, score in scores.items()},
            }
        )
        return 0 if release.holds and check.holds else 1
    say()
    bars(
        "Persons who are unique to an attacker who knows a few of their visits, in the original:",
        [(f"{known} known", round(share * len(town.persons or ()))) for known, share in before.items()],
    )
    say()
    say(
        f"SeqAnon(k=5, m=2) generalized nearby places until any 2 visits have a support of 5 persons ({seconds:.1f} s)."
    )
    for model, verdict in release.verdicts:
        say("\n".join(verdict_lines(model, verdict)))
    rows = [(f"unique, {known} known", f"{before[known]:.1%}", f"{after[known]:.1%}") for known in KNOWN]
    rows.append(("locations", str(len(town.with_used_names().names)), str(len(release.data.names))))
    rows.append(("visits", f"{len(town.codes):,}", f"{len(release.data.codes):,}"))
    table("", ("figure", "original", "published"), rows)
    for name, score in scores.items():
        say(f"  {measure_class(name).title}: {score} ({measure_class(name).meaning})")
    say()
    say(f"Published in {out}/ and verified again from its files and the original:")
    say(
        "✓ the files match the certificate, and the promise holds, counted in persons" if check.holds else "✗ it failed"
    )
    say(f"Next: sfumato verify {out}; sfumato describe {out}; sfumato anonymize seqanon --help")
    return 0 if release.holds and check.holds else 1


def _free_name(wanted: Path) -> Path:
    number, path = 1, wanted
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.name}-{number}")
    return path
