"""The segments of a category with relatives, found level by level: one small query for each category, then joins.

A single query with many relatives leaves the order of its joins to the store, which may compare every segment with
every other one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import polars as pl

from sfumato.semantics.queries.compiling import compile_members
from sfumato.semantics.queries.pattern_category import MAIN
from sfumato.semantics.queries.segment_category import Relative, SegmentCategory

__all__ = ["CategoryRows"]

Fetch = Callable[[str], pl.DataFrame]
_LINKS = """PREFIX bq: <http://www.seek-project.eu/Baquara02#>
SELECT ?s ?o WHERE {{ ?s bq:{} ?o }}"""
_STOPS = """PREFIX bq: <http://www.seek-project.eu/Baquara02#>
SELECT ?s WHERE { ?s a bq:Stop }"""


class CategoryRows:
    """The segments of categories; what was fetched for one category is kept for others like it.

    fetch : gives the answer to a query as a frame of terms.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._links: dict[str, pl.DataFrame] = {}
        self._answers: dict[str, pl.DataFrame] = {}

    def rows(self, category: SegmentCategory, facts: tuple[str, ...] = ()) -> pl.DataFrame:
        """The segments of a category, the columns that it names, and facts, as terms of the store."""
        main = category.name or MAIN
        alias = main if MAIN in category.columns() else MAIN  # the same query whatever the segments are called
        query = compile_members(replace(category, relatives=(), name=alias), facts)
        if query not in self._answers:
            self._answers[query] = self._fetch(query).unique()
        names = {f"{alias}_{fact}": f"{main}_{fact}" for fact in facts}
        frame = self._answers[query].rename({alias: main, **names})
        for relative in category.relatives:
            frame = self._related(frame, main, relative)
        return frame

    def _related(self, frame: pl.DataFrame, main: str, relative: Relative) -> pl.DataFrame:
        """The rows that have the relative, with the columns that it names; or those that do not have it."""
        others = self.rows(relative.segment)
        key = relative.segment.name or MAIN
        pairs = self._pairs(relative.relation, frame.select(pl.col(main).alias(":own")).unique())
        matched = pairs.join(others.with_columns(pl.col(key).alias(":other")), on=":other").drop(":other")
        if relative.absent:
            return frame.join(matched, left_on=main, right_on=":own", how="anti")
        names = relative.segment.columns()
        if not names:
            return frame.join(matched, left_on=main, right_on=":own", how="semi")
        return frame.join(matched.select(":own", *names).unique(), left_on=main, right_on=":own")

    def _pairs(self, relation: str, own: pl.DataFrame) -> pl.DataFrame:
        """Each segment of `own` with each of its relatives, as the columns :own and :other."""
        if relation in ("next", "prev"):
            return own.join(self._link(relation), left_on=":own", right_on="s").rename({"o": ":other"})
        if relation in ("father", "ancestor"):
            return self._chain(own, self._link("father").rename({"s": ":at", "o": ":other"}), relation == "ancestor")
        if relation in ("child", "descendant"):
            down = self._link("father").rename({"o": ":at", "s": ":other"})
            return self._chain(own, down, relation == "descendant")
        return self._siblings(relation, own)

    def _chain(self, own: pl.DataFrame, step: pl.DataFrame, whole: bool) -> pl.DataFrame:
        """One step from each segment, or all steps."""
        current = own.with_columns(pl.col(":own").alias(":at"))
        parts = []
        while len(current):
            current = current.join(step, on=":at").select(":own", ":other")
            parts.append(current)
            current = current.rename({":other": ":at"}) if whole else current.clear()
        return pl.concat(parts) if parts else own.with_columns(pl.col(":own").alias(":other")).clear()

    def _siblings(self, relation: str, own: pl.DataFrame) -> pl.DataFrame:
        table = self._numbered()
        mine = own.join(table, left_on=":own", right_on="s")
        pairs = mine.join(table.rename({"s": ":other"}), on="father", suffix="_other")
        pairs = pairs.filter(pl.col(":own") != pl.col(":other"))
        if relation == "sibling":
            return pairs.select(":own", ":other")
        later = relation.endswith("followed-by")
        pairs = pairs.filter(pl.col("ord_other") > pl.col("ord") if later else pl.col("ord_other") < pl.col("ord"))
        if relation.startswith("immediately"):
            low, high = ("", "_other") if later else ("_other", "")
            between = pl.col(f"before{high}") - pl.col(f"before{low}") - pl.col(f"stop{low}")
            pairs = pairs.filter(between == 0)
        return pairs.select(":own", ":other")

    def _numbered(self) -> pl.DataFrame:
        """Segments with father and number, whether they are stops, and how many stops of the father are before them."""
        if "numbered" not in self._links:
            number = self._link("ord").select("s", pl.col("o").str.extract(r"(\d+)").cast(pl.Int64).alias("ord"))
            table = self._link("father").rename({"o": "father"}).join(number, on="s")
            stops = self._fetch(_STOPS).with_columns(pl.lit(1).alias("stop"))
            table = table.join(stops, on="s", how="left").with_columns(pl.col("stop").fill_null(0))
            table = table.sort("father", "ord")
            before = (pl.col("stop").cum_sum() - pl.col("stop")).over("father")
            self._links["numbered"] = table.with_columns(before.alias("before"))
        return self._links["numbered"]

    def _link(self, name: str) -> pl.DataFrame:
        if name not in self._links:
            self._links[name] = self._fetch(_LINKS.format(name)).unique()
        return self._links[name]
