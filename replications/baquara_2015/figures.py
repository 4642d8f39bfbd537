"""Figures 8, 9, 10, 12 and 13 of the paper on other data, and whether what the paper says of them holds there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import polars as pl

from sfumato.semantics.linking.ambiguity import ambiguity, links_per_target, most_linked
from sfumato.semantics.linking.linker import Linker
from sfumato.semantics.linking.refinement import refined
from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import Targets

TAU_S = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
TAU_T = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
HALF = (0.4, 0.6)  # what counts as "about half"
ONE = 1.25  # up to which mean "about 1" holds
NEARLY_ALL = 0.9


class Figures:
    """The candidates of all posts for the widest bounds, and what the figures show of them."""

    def __init__(self, posts: Targets, resources: Resources) -> None:
        linker = Linker(tau_s=max(TAU_S), tau_t=0, first="all")
        self.candidates = linker.candidates(posts, resources)
        self.table = ambiguity(self.candidates, len(posts), TAU_S, TAU_T)
        self.per_post = {bounds: links_per_target(self.candidates, *bounds) for bounds in ((16, 0.9), (1024, 0.8))}
        near = self.candidates.filter((pl.col("metres") <= 16) & (pl.col("similarity") >= 0.9))
        links = refined(near, "near")
        links = links.with_columns(resource=resources.iris.gather(links["resource"]))
        self.top = most_linked(links, resources.classes)

    def value(self, column: str, tau_s: float, tau_t: float) -> float:
        row = self.table.filter((pl.col("tau_s") == tau_s) & (pl.col("tau_t") == tau_t))
        value = row[column].item()
        return float("nan") if value is None else float(value)  # no comparison holds for it

    def rising(self, column: str, tau_t: float) -> bool:
        values = self.table.filter(pl.col("tau_t") == tau_t)[column].drop_nulls()
        return bool((values.diff().drop_nulls() >= -1e-12).all())

    def verdicts(self) -> Iterator[tuple[str, str, str, bool]]:
        """Figure, what the paper says, what is here, whether that agrees: directions, and sizes where it names them."""
        low, high = self.value("percent", 1, 0.0), self.value("percent", 1024, 0.0)
        falls = all(
            self.value("percent", tau_s, a) >= self.value("percent", tau_s, b)
            for tau_s in TAU_S for a, b in pairwise(TAU_T)
        )  # fmt: skip
        yield (
            "8, posts with a resource",
            "more with tau_s, fewer with tau_t; at tau_t 0 few at 1 m (0.35 %), most at 1,024 m (79.24 %)",
            f"{low:.2f} % at 1 m, {high:.2f} % at 1,024 m",
            all(self.rising("percent", tau_t) for tau_t in TAU_T) and falls and low < 5 and high > 50,
        )
        means = [self.value("mean", tau_s, 0.9) for tau_s in (16, 1024)]
        wide = self.value("mean", 1024, 0.0)
        yield (
            "9, resources per linked post, tau_t 0.9",
            "about 1 for every tau_s",
            f"{means[0]:.2f} at 16 m, {means[1]:.2f} at 1,024 m",
            all(mean <= ONE for mean in means),
        )
        yield (
            "9, resources per linked post, tau_t 0",
            "many at 1,024 m, far more than at tau_t 0.9",
            f"{wide:.0f} at 1,024 m",
            wide > 10 * means[1],
        )
        several, links, surplus = (self.value(name, 1024, 0.8) for name in ("several", "their_links", "surplus"))
        yield (
            "9, ambiguity at (1,024 m, 0.8)",
            "almost half (of posts in one place of the text, of links in another)",
            f"{several:.0%} of the linked posts, {links:.0%} of the links, {surplus:.0%} surplus links",
            all(HALF[0] <= share <= HALF[1] for share in (several, links)),
        )
        one, more = (_share_of_ones(self.per_post[bounds]) for bounds in ((16, 0.9), (1024, 0.8)))
        yield ("10, posts with one resource at (16 m, 0.9)", "nearly all", f"{one:.0%}", one >= NEARLY_ALL)
        yield (
            "10, posts with one resource at (1,024 m, 0.8)",
            "about half",
            f"{more:.0%}",
            HALF[0] <= more <= HALF[1],
        )
        before = [self.value("several", *bounds) for bounds in ((16, 0.9), (1024, 0.8))]
        after = [self.value("refined_several", *bounds) for bounds in ((16, 0.9), (1024, 0.8))]
        yield (
            "12, ambiguous posts after refinement",
            "under 0.5 % at (1 km, 0.8), about 0.01 % at (16 m, 0.9)",
            f"{after[1]:.2%} at (1,024 m, 0.8), {after[0]:.2%} at (16 m, 0.9); "
            f"before {before[1]:.1%} and {before[0]:.1%}",
            after[1] < 0.005 and after[0] < 0.001,
        )
        classes = self.top.filter(pl.col("kind") == "class").head(3)["resource"].to_list()
        general = {"a node", "a way", "a relation"} & set(classes)
        yield (
            "13, resources with most posts at (16 m, 0.9)",
            "general classes first (spatial#Feature, meta/Node, Amenity), instances far behind",
            f"classes first: {', '.join(classes)}",
            bool(general) and self.top["kind"].head(3).to_list() == ["class"] * 3,
        )


def _share_of_ones(counts: pl.DataFrame) -> float:
    total = counts["targets"].sum()
    return float(counts.filter(pl.col("resources") == 1)["targets"].sum() / total) if total else 0.0
