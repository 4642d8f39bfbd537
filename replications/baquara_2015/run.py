"""`python run.py PLACES.csv --out DIR`: repeat Figures 8 to 13 of the paper, and measure precision and recall.

PLACES.csv has one row an OpenStreetMap object of a city: osm (node/1, way/2, ...), key, value, name, name_en, lat, lon
and wikidata; the places of Rome that were collected for linking have these columns.  Written are verdicts.md, the
tables behind it as CSV, charts.html, and figure_11.html, a map.  The posts are drawn, since those of the paper are not
public; README.md says what follows from that.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import charts
import coreferents
import invented_city
import polars as pl
import rome
from figures import Figures
from nearest_or_similar import NearestOrSimilar

POSTS, SEED = 4_000, 7
# what is tuned on one half of the entities and measured on the other; whether classes are used; tau_s and order given
TUNED = (
    ("all tuned", (False, True), False),
    ("names or words and tau_t tuned, similar first, 1,024 m", (False,), True),
    ("the same, and the class of the place must be the same (chosen after seeing the data)", (True,), True),
)


def main(places: Path, out: Path) -> None:
    out.mkdir(parents=True)
    table = rome.read_places(places)
    posts, truth = rome.draw_posts(table, POSTS, SEED)
    resources = rome.resources(table)
    figures = Figures(posts, resources)
    example = NearestOrSimilar.of(posts, truth, resources, figures.candidates)
    real = coreferents.Coreferents(table)
    invented = invented_city.scores()
    figures.table.write_csv(out / "figures_8_9_12.csv")
    pl.concat(
        [frame.with_columns(tau_s=pl.lit(s), tau_t=pl.lit(t)) for (s, t), frame in figures.per_post.items()]
    ).write_csv(out / "figure_10.csv")
    figures.top.write_csv(out / "figure_13.csv")
    grids = {
        f"{compare}, {first} first": real.grid(compare, first)
        for compare in ("names", "words")
        for first in ("near", "similar")
    }
    for name, grid in grids.items():
        grid.write_csv(out / f"coreferents_{name.replace(', ', '_').replace(' ', '_')}.csv")
    invented.write_csv(out / "invented_city.csv")
    (out / "charts.html").write_text(charts.page(figures, grids, invented), "utf-8")
    if example.verdict()[-1]:
        example.draw(places, out / "figure_11.html")
    rows = sorted([*figures.verdicts(), example.verdict()], key=lambda row: int(row[0].split(",")[0]))
    text = "\n".join([*_verdicts(rows, len(table)), *_coreferents(real), *_invented(invented), ""])
    (out / "verdicts.md").write_text(text, "utf-8")
    found: dict[str, list[dict[str, str]]] = {}
    for name, paper, here, agrees in rows:
        verdict = "holds" if agrees else "does not hold"
        what = {"claim": f"{name}: {paper}.", "verdict": verdict, "sentence": f"{here}."}
        found.setdefault(name.split(",")[0], []).append(what)
    (out / "findings.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    sys.stdout.write((out / "verdicts.md").read_text("utf-8"))


def _verdicts(rows: list[tuple[str, str, str, bool]], places: int) -> list[str]:
    return [
        f"# Figures 8 to 13 on {POSTS:,} drawn posts and {places:,} places", "",
        "| figure | paper | here | agrees |", "| --- | --- | --- | --- |",
        *(f"| {name} | {paper} | {here} | {'yes' if agrees else 'NO'} |" for name, paper, here, agrees in rows),
        "", "If Figure 11 agrees, figure_11.html shows the right link of the post that is farthest from its place.", "",
    ]  # fmt: skip


def _coreferents(real: coreferents.Coreferents) -> list[str]:
    objects, near = len(real.objects), int((real.nearest <= 1024).sum())
    untuned = real.scores([coreferents.TRIAL] * 2, [0, 1])
    lines = [
        "# Real co-referents", "",
        f"**Precision {untuned['precision']:.3f}, recall {untuned['recall']:.3f}, F1 {untuned['f1']:.3f}**: whole "
        "names, similar first, 1,024 m, 0.9, the setting of an earlier trial; nothing is tuned.", "",
        f"{objects} objects share an entity, {near} of them with an object within 1,024 m.  The other rows are tuned "
        "on one half of the entities and measured on the other.", "",
    ]  # fmt: skip
    head = ["precision", "recall", "f1", "recall, co-referent in reach", "f1, co-referent in reach"]
    lines += ["| setting | links | " + " | ".join(head) + " |", "| --- " * 7 + "|"]
    rows = {f"{_words(coreferents.TRIAL)}, nothing tuned": untuned}
    for what, kinds, guard in TUNED:
        tuned = [real.tuned(other, kinds=kinds, guard=guard) for other in (1, 0)]  # on the other half of the entities
        for fold, setting in enumerate(tuned):
            rows[f"{what}; half {fold + 1}: {_words(setting)}"] = real.scores([setting], [fold])
        rows[f"{what}; both halves"] = real.scores(tuned, [0, 1])
    lines += [
        f"| {name} | {row['links']} | " + " | ".join(f"{row[key]:.3f}" for key in head) + " |"
        for name, row in rows.items()
    ]
    return [*lines, ""]


def _invented(invented: pl.DataFrame) -> list[str]:
    lines = ["# Invented city, posts that name a place", ""]
    lines += ["| first | tau_s | tau_t | links | precision | recall |", "| --- " * 6 + "|"]
    for first, tau_s, tau_t, links, precision, recall in invented.iter_rows():
        lines.append(f"| {first} | {tau_s:g} | {tau_t:g} | {links} | {precision:.3f} | {recall:.3f} |")
    return lines


def _words(setting: coreferents.Setting) -> str:
    kinds = ", same class" if setting.kinds else ""
    return f"{setting.compare}{kinds}, {setting.first} first, {setting.tau_s:,} m, {setting.tau_t}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.out.exists():
        sys.exit(f"{options.out}: exists already; choose another directory")
    main(options.places, options.out)
