"""The release made of pieces: labels named by their members, and what became of the records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sfumato.data import Trajectories
from sfumato.data.base import Ints
from sfumato.methods.base import Outcome

__all__ = ["published_pieces"]


def published_pieces(
    data: Trajectories, origin: Ints, labels: Ints, records: Ints, piece: Ints
) -> Outcome[Trajectories]:
    """Pieces as trajectories.

    origin : the private numbers of the published visits.  labels : the group of each, any numbers.
    records, piece : the record of each, by any numbers, and its piece there.

    A group is published as the places that are visited under it, under a short name; a single place under its own.
    """
    order = np.lexsort((origin, piece, records))
    origin, labels, records, piece = origin[order], labels[order], records[order], piece[order]
    starts_piece = np.ones(len(origin), dtype=bool)
    starts_piece[1:] = (np.diff(records) != 0) | (np.diff(piece) != 0)
    offsets = np.append(np.flatnonzero(starts_piece), len(origin))
    n = max(1, len(data.names))
    pairs, pair_of_visit = np.unique(labels.astype(np.int64) * n + data.codes[origin], return_inverse=True)
    group_of_pair, place_of_pair = pairs // n, pairs % n
    starts = np.flatnonzero(np.diff(group_of_pair, prepend=-1))
    members = [tuple(part.tolist()) for part in np.split(place_of_pair, starts[1:])] if len(pairs) else []
    names, by_name = _named(data.names, sorted(set(members)))
    position = {name: code for code, name in enumerate(names)}
    code_of_group = np.array([position[by_name[group]] for group in members], dtype=np.int32)
    group_of_visit = (np.searchsorted(starts, np.arange(len(pairs)), side="right") - 1)[pair_of_visit]
    record = np.searchsorted(data.offsets, origin[offsets[:-1]], side="right") - 1
    per_record = np.bincount(record, minlength=len(data))
    published = replace(
        data,
        offsets=offsets,
        codes=code_of_group[group_of_visit] if len(members) else np.empty(0, dtype=np.int32),
        names=names,
        members={by_name[group]: tuple(data.names[place] for place in group) for group in by_name if len(group) > 1},
        ids=None,
        persons=None,
        times=None,
        taxonomy=None,
        constraints=None,
    )
    counts = {
        "suppressed_visits": len(data.codes) - len(origin),
        "suppressed_records": int(np.count_nonzero(per_record == 0)),
        "split_records": int(np.count_nonzero(per_record > 1)),
        "merged_locations": len({place for group in by_name if len(group) > 1 for place in group}),
    }
    return Outcome(published, origin, counts)


def _named(
    places: tuple[str, ...], groups: list[tuple[int, ...]]
) -> tuple[tuple[str, ...], dict[tuple[int, ...], str]]:
    """All names in order, and the name of each group; groups are numbered in name order of their members."""
    prefix = "g"
    while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in places):
        prefix += "g"
    several = [group for group in groups if len(group) > 1]
    by_name = {group: f"{prefix}{number}" for number, group in enumerate(several, start=1)}
    by_name |= {group: places[group[0]] for group in groups if len(group) == 1}
    return tuple(sorted(by_name.values())), by_name
