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
    help="The directory to write [default: demo-release, with a number if it exists]; a chart is drawn beside it.",
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
    chart, no_chart = _draw(before, after, out)
    if as_json:
        print_json(
            {
                "out": str(out),
                "chart": None if chart is None else str(chart),
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
    say(f"No chart: {no_chart}." if chart is None else f"{chart} shows who is unique, before and after. It is private.")
    say(f"Next: sfumato verify {out}; sfumato describe {out}; sfumato anonymize seqanon --help")
    return 0 if release.holds and check.holds else 1


def _draw(before: dict[int, float], after: dict[int, float], out: Path) -> tuple[Path | None, str]:
    """Draw the shares of unique persons beside the release; returns the file, or the reason why no file was drawn."""
    from sfumato.errors import MissingExtra
    from sfumato.experiments.reports.charts import rendered, require_charts
    from sfumato.experiments.reports.uniqueness_chart import draw_uniqueness
    from sfumato.io.atomic_writes import write_bytes

    try:
        require_charts()
    except MissingExtra as error:
        return None, str(error)
    file = _free_name(out.with_name(f"{out.name}.png"))
    write_bytes(rendered(draw_uniqueness(before, after))["png"], file)
    return file, ""


def _free_name(wanted: Path) -> Path:
    number, path = 1, wanted
    while path.exists():
        number += 1
        path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    return path
