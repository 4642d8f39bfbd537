"""GSUP, LSUP, SPLIT and MIX, literally: in every loop every gain is computed anew, from the trajectories themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Visit = tuple[str, tuple[int, int]]  # a place, and which visit of which trajectory it was
Node = tuple[str, tuple[str, ...]]  # an owner, and what it sees
FINE = 1 << 32  # pairs lost are summed in this unit, so that the order of the sum does not matter


class Dataset:
    """Pieces of trajectories, in the order of their trajectories' content, and the crowd behind each projection."""

    def __init__(
        self,
        records: Sequence[Sequence[str]],
        units: Sequence[Any] | None,
        owners: Mapping[str, str],
        threshold: float,
    ) -> None:
        self.owners, self.threshold, self.known = owners, Fraction(str(threshold)), units is not None
        who = list(range(len(records))) if units is None else list(units)
        profile: dict[Any, list[tuple[str, ...]]] = {}
        for unit, record in zip(who, records, strict=True):
            profile.setdefault(unit, []).append(tuple(record))
        rank = (
            {unit: at for at, unit in enumerate(sorted(profile, key=lambda unit: sorted(profile[unit])))}
            if units is not None
            else dict.fromkeys(who, 0)
        )
        order = sorted(range(len(records)), key=lambda at: (tuple(records[at]), rank[who[at]]))
        self.pieces: list[tuple[list[Visit], Any]] = [
            ([(place, (number, step)) for step, place in enumerate(records[at])], who[at])
            for number, at in enumerate(order)
        ]
        self.behind: dict[Node, dict[int, None]] = {}
        self._known: dict[Node, dict[str, int]] = {}
        for at in range(len(self.pieces)):
            self._count(at)
        self.counts = dict.fromkeys(("changes", "fallback_changes", "split_points"), 0)
        self.fallback_after: int | None = None

    def rows(self) -> list[list[str]]:
        """The pieces that have a visit."""
        return sorted([place for place, _ in visits] for visits, _ in self.pieces if visits)

    def nodes(self, visits: Sequence[Visit]) -> set[Node]:
        """The projections of a piece that are not empty."""
        seen: dict[str, list[str]] = {}
        for place, _ in visits:
            if place in self.owners:
                seen.setdefault(self.owners[place], []).append(place)
        return {(owner, tuple(places)) for owner, places in seen.items()}

    def _count(self, at: int) -> None:
        for node in self.nodes(self.pieces[at][0]):
            self.behind.setdefault(node, {})[at] = None
            self._known.pop(node, None)

    def _forget(self, at: int) -> None:
        for node in self.nodes(self.pieces[at][0]):
            del self.behind[node][at]
            self._known.pop(node, None)
            if not self.behind[node]:
                del self.behind[node]

    def change(self, at: int, *parts: list[Visit]) -> None:
        """Put parts in the place of a piece."""
        self._forget(at)
        unit = self.pieces[at][1]
        self.pieces[at] = (parts[0], unit)
        self._count(at)
        for part in parts[1:]:
            self.pieces.append((part, unit))
            self._count(len(self.pieces) - 1)

    def crowd(self, node: Node) -> list[tuple[list[Visit], Any]]:
        return [self.pieces[at] for at in self.behind.get(node, ())]

    def threats(self, node: Node, crowd: Sequence[tuple[list[Visit], Any]]) -> dict[str, int]:
        """The problematic places behind a projection with this crowd, and their problems (Definition 8).

        Where persons are known, shares of pieces and of persons must both be small; problems of both are added.
        """
        holding: dict[str, list[Any]] = {}
        for visits, unit in crowd:
            for place in {place for place, _ in visits if self.owners.get(place) != node[0]}:
                holding.setdefault(place, []).append(unit)
        everybody = len({unit for _, unit in crowd})
        found: dict[str, int] = {}
        for place, units in holding.items():
            if Fraction(len(units), len(crowd)) > self.threshold:
                found[place] = len(units)
            if self.known and Fraction(len(set(units)), everybody) > self.threshold:
                found[place] = found.get(place, 0) + len(set(units))
        return found

    def now(self, node: Node) -> dict[str, int]:
        """The problematic places behind a projection as things are, remembered until they change."""
        if node not in self._known:
            self._known[node] = self.threats(node, self.crowd(node))
        return self._known[node]

    def problems(self) -> int:
        """THREATID's N."""
        return sum(sum(self.now(node).values()) for node in self.behind)

    def gain(self, at: int, *parts: list[Visit]) -> int:
        """N - N' of a change; only projections of the piece and of its parts can have other problems."""
        unit = self.pieces[at][1]
        nodes = set().union(*(self.nodes(visits) for visits in (self.pieces[at][0], *parts)))
        total = 0
        for node in nodes:
            then = [self.pieces[other] for other in self.behind.get(node, ()) if other != at]
            then += [(part, unit) for part in parts if node in self.nodes(part)]
            total += sum(self.now(node).values()) - sum(self.threats(node, then).values())
        return total

    def troubled(self, at: int) -> bool:
        """Whether a piece has a problematic pair."""
        places = {place for place, _ in self.pieces[at][0]}
        return any(places & set(self.now(node)) for node in self.nodes(self.pieces[at][0]))

    def position(self, at: int) -> tuple[int, int]:
        return self.pieces[at][0][0][1]


def without(visits: list[Visit], places: set[str]) -> list[Visit]:
    return [visit for visit in visits if visit[0] not in places]


def pairs(visits: Sequence[Any]) -> int:
    return len(visits) * (len(visits) - 1)


def lsup(data: Dataset, batch: int) -> Dataset:
    """Algorithm LSUP, `batch` suppressions a loop."""
    while data.problems() > 0:
        found = []  # lines 3 to 9
        for at in range(len(data.pieces)):
            if not data.troubled(at):
                continue
            visits = data.pieces[at][0]
            best = None
            for place in sorted({place for place, _ in visits}):
                rest = without(visits, {place})
                gain = data.gain(at, rest) * pairs(visits) / (pairs(visits) - pairs(rest))
                if gain > 0 and (best is None or gain > best[0]):
                    best = (gain, place)
            if best is not None:
                found.append((-best[0], data.position(at), at, best[1]))
        if not found:  # line 11
            data.fallback_after = data.counts["changes"]
            gsup(data, batch)
            data.counts["fallback_changes"] = data.counts["changes"] - data.fallback_after
            return data
        for _, _, at, place in sorted(found)[:batch]:  # lines 10 and 12
            rest = without(data.pieces[at][0], {place})
            if data.gain(at, rest) > 0:
                data.change(at, rest)
                data.counts["changes"] += 1
    return data


def split(data: Dataset, batch: int, candidates: int, *, mixed: bool = False, fallback: str = "naive") -> Dataset:
    """Algorithm SPLIT, `batch` splits a loop out of `candidates` for each; MIX suppresses where that is clean."""
    while data.problems() > 0:
        found = []  # lines 3 to 9
        for at in range(len(data.pieces)):
            if not data.troubled(at):
                continue
            visits = data.pieces[at][0]
            cuts = [
                (-data.gain(at, visits[:cut], visits[cut:]), _loss(visits, cut), cut) for cut in range(1, len(visits))
            ]
            gain, loss, cut = min(cuts)
            found.append((gain, data.position(at), loss, at, cut))
        top = sorted(found)[: batch * candidates]  # line 10
        if all(one[0] > 0 for one in top):  # line 11, for one change; the next loop looks for cuts again
            _fall_back(data, top[0][3] if fallback == "naive" else None, batch)
            continue
        if any(one[0] < 0 for one in top):  # line 12, (a)
            top = [one for one in top if one[0] < 0]
        else:
            top = [one for one in top if one[0] == 0]
        gaining = top[0][0] < 0
        for *_, at, cut in sorted(top, key=lambda one: (one[2], one[0], one[1]))[:batch]:  # lines 12 (b) and 13
            visits = data.pieces[at][0]
            gain = data.gain(at, visits[:cut], visits[cut:])
            if gain < 0 or (gaining and gain == 0):
                continue
            data.counts["changes"] += 1
            rest = without(visits, {visits[cut - 1][0]})
            if mixed and data.gain(at, rest) > 0 and _clean(data, at, rest):
                data.change(at, rest)
                continue
            data.change(at, visits[:cut], visits[cut:])
            data.counts["split_points"] += 1
    return data


def _loss(visits: list[Visit], cut: int) -> float:
    return (pairs(visits) - pairs(visits[:cut]) - pairs(visits[cut:])) / pairs(visits)


def _clean(data: Dataset, at: int, rest: list[Visit]) -> bool:
    before = data.pieces[at][0]
    data.change(at, rest)
    clean = not data.troubled(at)
    data.change(at, before)
    return clean


def _fall_back(data: Dataset, at: int | None, batch: int) -> None:
    """Split one piece naively, or do one loop of GSUP where none is named."""
    before = data.counts["changes"]
    if data.fallback_after is None:
        data.fallback_after = before
    if at is None:
        gsup_loop(data, batch)
    else:
        naive(data, at)
    data.counts["fallback_changes"] += data.counts["changes"] - before


def naive(data: Dataset, at: int) -> None:
    """Split a piece between places of different owners."""
    visits = data.pieces[at][0]
    parts = [[visits[0]]]
    for visit in visits[1:]:
        if data.owners.get(visit[0]) == data.owners.get(parts[-1][-1][0]):
            parts[-1].append(visit)
        else:
            parts.append([visit])
    data.change(at, *parts)
    data.counts["changes"] += 1
    data.counts["split_points"] += len(parts) - 1


def gsup(data: Dataset, batch: int) -> Dataset:
    """Algorithm GSUP, `batch` unifications a loop."""
    while data.problems() > 0:
        gsup_loop(data, batch)
    return data


def gsup_loop(data: Dataset, batch: int) -> None:
    """One loop of GSUP."""
    found = []  # lines 4 to 6
    for long in data.behind:
        best = min(_partners(data, long), default=None)
        if best is not None:
            found.append((best[0], len(data.behind[long]), long[1], long, best[3]))
    for *_, long, short in sorted(found, key=lambda one: one[:3])[:batch]:  # lines 7 to 9
        if any(partner[3] == short for partner in _partners(data, long)):
            for at in list(data.behind[long]):
                data.change(at, without(data.pieces[at][0], set(long[1]) - set(short)))
            data.counts["changes"] += 1


def _partners(data: Dataset, long: Node) -> list[tuple[float, int, tuple[str, ...], tuple[str, ...]]]:
    """Every projection that a projection can be unified with: gain first, then the longer, then by name."""
    if long not in data.behind:
        return []
    owner, seen = long
    shorter = [()] + [short for whose, short in data.behind if whose == owner and len(short) < len(seen)]
    found = []
    for short in shorter:
        if tuple(place for place in seen if place in set(short)) != short:
            continue
        gone = set(seen) - set(short)
        if not data.now(long) and not (short and data.now((owner, short))):
            continue
        changed = {at: without(data.pieces[at][0], gone) for at in data.behind[long]}
        joined = data.crowd((owner, short)) + [(rest, data.pieces[at][1]) for at, rest in changed.items()]
        if short and data.threats((owner, short), joined):
            continue
        gain = sum(data.now(long).values())
        if short:
            gain += sum(data.now((owner, short)).values())
        for node in {node for at in changed for node in data.nodes(data.pieces[at][0]) if node[0] != owner}:
            then = [(changed.get(at, data.pieces[at][0]), data.pieces[at][1]) for at in data.behind[node]]
            gain += sum(data.now(node).values()) - sum(data.threats(node, then).values())
        loss = 0
        for at, rest in changed.items():
            whole = data.pieces[at][0]
            loss += (pairs(whole) - pairs(rest)) * FINE // pairs(whole) if pairs(whole) else 0
        found.append((-gain / loss, -len(short), short, short))
    return found
