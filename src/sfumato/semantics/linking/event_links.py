"""Events that a target takes part in: their place is linked to it, and both last at the same time."""

from __future__ import annotations

import polars as pl

__all__ = ["event_links"]


def event_links(links: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """The events of each target, in the columns of `links`, with the distance and similarity of the place.

    links : target, begin, end (seconds), resource (IRI of the place), metres, similarity.
    events : resource, begin, end, place.  To share a single instant is not to share time.

    >>> links = pl.DataFrame({"target": [0], "begin": [5.0], "end": [9.0], "resource": ["hall"],
    ...                       "metres": [3.0], "similarity": [1.0]})
    >>> events = pl.DataFrame({"resource": ["gig", "later"], "begin": [8.0, 9.0], "end": [12.0, 20.0],
    ...                        "place": ["hall", "hall"]})
    >>> event_links(links, events)["resource"].to_list()
    ['gig']
    """
    times = events.drop_nulls().rename({"resource": "event", "begin": "from", "end": "to"})
    shared = pl.min_horizontal("end", "to") > pl.max_horizontal("begin", "from")
    pairs = links.join(times, left_on="resource", right_on="place").filter(shared)
    best = pairs.sort("target", "event", "metres", "resource").unique(
        ["target", "event"], keep="first", maintain_order=True
    )
    return best.with_columns(resource=pl.col("event")).select(links.columns)
