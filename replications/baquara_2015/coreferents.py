"""Precision and recall on real co-referents: objects of a city that carry the same Wikidata entity.

Each such object is taken for a post with its name and position, and linked to all other named objects.  A link is
right if both carry the same entity; links to objects without an entity count as wrong, although some are right.  Recall
counts objects with a right link, of all that share an entity, and of those with a co-referent within the radius: an
entity also joins departments, branches and stretches of wall kilometres apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import polars as pl
import rome

from sfumato.semantics.linking.linker import Linker
from sfumato.semantics.linking.near import great_circle_m
from sfumato.semantics.linking.refinement import refined

TAU_S = (16, 64, 128, 256, 512, 1024, 2048, 4096)
TAU_T = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Setting:
    """What is tuned."""

    compare: str
    kinds: bool
    first: str
    tau_s: float
    tau_t: float


TRIAL = Setting("names", False, "similar", 1024, 0.9)


class Coreferents:
    """The objects that share an entity, and their candidates under every comparison."""

    def __init__(self, places: pl.DataFrame) -> None:
        shared = places.filter(pl.col("wikidata").is_not_null())
        groups = shared.group_by("wikidata").len().filter(pl.col("len") > 1)
        self.objects = shared.join(groups, on="wikidata", how="semi").sort("osm")
        self.nearest = _nearest(self.objects)
        where = self.objects.select("lon", "lat").to_numpy()
        base = rome.resources(places)
        entity = places["wikidata"].gather(places["osm"].search_sorted(base.iris))
        self._candidates = {}
        for compare, kinds in product(("names", "words"), (False, True)):
            linker = Linker(tau_s=max(TAU_S), tau_t=min(TAU_T), first="all", compare=compare)
            targets = rome.targets(self.objects, self.objects["name"], where, kinds=kinds)
            pairs = linker.candidates(targets, base)
            own = self.objects["osm"].gather(pairs["target"]) != base.iris.gather(pairs["resource"])
            right = entity.gather(pairs["resource"]) == self.objects["wikidata"].gather(pairs["target"])
            pairs = pairs.with_columns(right=right.fill_null(False)).filter(own)
            self._candidates[compare, kinds] = pairs

    def fold(self) -> pl.Series:
        """0 or 1 for each object: entities in the order of their names, every other one."""
        entities = self.objects["wikidata"].unique().sort()
        return entities.search_sorted(self.objects["wikidata"]).cast(pl.Int64) % 2

    def scores(self, settings: list[Setting], folds: list[int]) -> dict[str, float]:
        """Precision, recall and F1 of the objects of some folds, each fold under its setting."""
        links = right = reached = objects = reachable = 0
        fold = self.fold()
        for setting, number in zip(settings, folds, strict=True):
            pairs = self._candidates[setting.compare, setting.kinds]
            near = (pl.col("metres") <= setting.tau_s) & (pl.col("similarity") >= setting.tau_t)
            kept = refined(pairs.filter(near), setting.first)
            kept = kept.filter(fold.gather(kept["target"]) == number)
            links, right = links + len(kept), right + int(kept["right"].sum())
            reached += kept.filter("right")["target"].n_unique()
            objects += int((fold == number).sum())
            reachable += int(((fold == number) & (self.nearest <= setting.tau_s)).sum())
        precision, recall, near_recall = right / max(links, 1), reached / objects, reached / max(reachable, 1)
        return {
            "links": links,
            "precision": precision,
            "recall": recall,
            "f1": _f1(precision, recall),
            "recall, co-referent in reach": near_recall,
            "f1, co-referent in reach": _f1(precision, near_recall),
        }

    def tuned(self, fold: int, *, kinds: tuple[bool, ...], guard: bool) -> Setting:
        """The setting with the largest F1 on a fold; of equal ones, the first.

        kinds : whether classes may, must or must not be used.  guard : similar first within 1,024 m, as in the trial.
        """
        first, tau_s = (("similar",), (1024,)) if guard else (("near", "similar"), TAU_S)
        grid = [Setting(*values) for values in product(("names", "words"), kinds, first, tau_s, TAU_T)]
        return max(grid, key=lambda setting: self.scores([setting], [fold])["f1"])

    def grid(self, compare: str, first: str, kinds: bool = False) -> pl.DataFrame:
        """Precision, recall and F1 of all objects over tau_s and tau_t."""
        rows = [
            {"tau_s": tau_s, "tau_t": tau_t, **self.scores([Setting(compare, kinds, first, tau_s, tau_t)] * 2, [0, 1])}
            for tau_s, tau_t in product(TAU_S, TAU_T)
        ]
        return pl.DataFrame(rows)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _nearest(objects: pl.DataFrame) -> pl.Series:
    """How far each object is from its nearest co-referent, in metres."""
    pairs = objects.join(objects, on="wikidata").filter(pl.col("osm") != pl.col("osm_right"))
    metres = great_circle_m(pairs.select("lon", "lat").to_numpy(), pairs.select("lon_right", "lat_right").to_numpy())
    nearest = pairs.with_columns(metres=pl.Series(metres)).group_by("osm").agg(pl.col("metres").min())
    return objects.join(nearest, on="osm", how="left", maintain_order="left")["metres"]
