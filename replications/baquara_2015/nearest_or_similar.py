"""Figure 11: posts whose place with the most similar name is not the nearest place, and a map of one of them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import sfumato
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.linking.linker import Linker
from sfumato.semantics.linking.refinement import refined
from sfumato.semantics.linking.resources import Resources
from sfumato.semantics.linking.targets import COLUMNS, Targets
from sfumato.semantics.movement.movement import Movement

TAU_S, TAU_T = 1024, 0.9
BASE = "https://www.openstreetmap.org/"
MAPPING = f'id = "{BASE}{{osm}}"\nlatitude = "lat"\nlongitude = "lon"\n[labels]\nname = ""\nname_en = "en"\n'


@dataclass(frozen=True)
class NearestOrSimilar:
    """Of all links similar first at 1,024 m and 0.9: those to a place that is not the nearest one of the post.

    links : target, resource, metres, nearest (metres of the nearest place), right (whether the post was drawn there).
    linked : how many posts are linked.
    """

    posts: Targets
    links: pl.DataFrame
    linked: int

    @classmethod
    def of(cls, posts: Targets, truth: pl.Series, resources: Resources, candidates: pl.DataFrame) -> NearestOrSimilar:
        """candidates : every pair within 1,024 m, whatever the names."""
        near = candidates.filter(pl.col("metres") <= TAU_S)
        nearest = near.group_by("target").agg(nearest=pl.col("metres").min())
        links = refined(near.filter(pl.col("similarity") >= TAU_T), "similar")
        places = resources.iris.gather(links["resource"])
        links = links.with_columns(right=places == truth.gather(links["target"])).join(nearest, on="target")
        return cls(posts, links.filter(pl.col("metres") > pl.col("nearest")), links["target"].n_unique())

    def verdict(self) -> tuple[str, str, str, bool]:
        """Figure, what the paper says, what is here, whether it agrees."""
        count, right = self.links["target"].n_unique(), int(self.links["right"].sum())
        return (
            f"11, posts whose most similar place ({TAU_S:,} m, {TAU_T}) is not the nearest",
            "an example, where only the name leads to the right place",
            f"{count:,} of {self.linked:,} linked posts; {right:,} of these links are right",
            right > 0,
        )

    def draw(self, places: Path, out: Path) -> None:
        """A page with the right link that lies farthest: left the nearest place, right that of the most similar name.

        places : the table of places, of which those around the post are loaded into a knowledge base.
        """
        best = self.links.filter("right").sort("metres", "target", descending=[True, False]).row(0, named=True)
        x, y = self.posts.where[best["target"]].tolist()
        text = self.posts.texts.filter(pl.col("owner") == best["target"])["text"].item()
        movement = Movement.of(
            pl.DataFrame({"object": ["post"]}),
            pl.DataFrame({"object": ["post"], "begin": [0.0], "x": [x], "y": [y]}),
            annotations=pl.DataFrame(
                {"target_kind": "position", "target": 0, "property": COLUMNS["place"], "kind": "text", "value": [text]}
            ),
        )
        side = 2 * TAU_S / 100_000
        with tempfile.TemporaryDirectory() as folder:
            mapping = Path(folder, "places.toml")
            mapping.write_text(MAPPING, "utf-8")
            with KnowledgeBase.create(Path(folder, "kb")) as kb:
                kb.load(places, mapping=mapping, box=(x - side, y - side, x + side, y + side))
                nearest = Linker(names="none", tau_s=TAU_S, events=False).link(movement, kb).movement
                similar = Linker(first="similar", tau_s=TAU_S, tau_t=TAU_T, events=False).link(movement, kb).movement
                titles = [f"“{text}”: the nearest place", "the place with the most similar name"]
                sfumato.draw_map(nearest, similar, titles=titles, kb=kb).write(out)
