"""Map matching, slowly: every state, every way, and the cheapest sequence by trying all steps."""

from __future__ import annotations

import math
from typing import Any

from sfumato.data import Network


def directed(network: Network) -> dict[int, tuple[int, int]]:
    """The nodes of every directed road that may be driven: road r as 2r, and as 2r + 1 the other way."""
    ways: dict[int, tuple[int, int]] = {}
    for road, (tail, head) in enumerate(network.ends.tolist()):
        ways[2 * road] = (tail, head)
        if network.oneway is None or not network.oneway[road]:
            ways[2 * road + 1] = (head, tail)
    return ways


def states(
    network: Network, x: float, y: float, radius: float, most: int, error: float
) -> list[tuple[int, float, float]]:
    """Directed road, how far into it, and the cost of being there."""
    near = []
    for road, (tail, head) in enumerate(network.ends.tolist()):
        (ax, ay), (bx, by) = network.points[tail], network.points[head]
        squared = (bx - ax) ** 2 + (by - ay) ** 2
        share = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared)) if squared else 0.0
        gap = math.hypot(ax + share * (bx - ax) - x, ay + share * (by - ay) - y)
        if gap <= radius:
            near.append((gap, road, share))
    found = []
    for gap, road, share in sorted(near)[:most]:
        for way, along in ((2 * road, share), (2 * road + 1, 1 - share)):
            if way in directed(network):
                found.append((way, along * float(network.lengths[road]), 0.5 * (gap / error) ** 2))
    return found


def distances(network: Network, begin: int) -> dict[int, float]:
    """How far every node is from the end of a directed road, not back over it but in a dead end (Bellman and Ford)."""
    ways = directed(network)
    source = ways[begin][1]
    onward = [way for way, (tail, _) in ways.items() if tail == source]
    far = {source: 0.0}
    for _ in range(len(network) + 1):
        for way, (tail, head) in ways.items():
            if tail == source and way // 2 == begin // 2 and len(onward) > 1:
                continue
            if tail in far:
                far[head] = min(far.get(head, math.inf), far[tail] + float(network.lengths[way // 2]))
    return far


def way_between(network: Network, one: Any, other: Any, noise: float, turn: float) -> float:
    """How far it is from one state to another."""
    (a, here, _), (b, there, _) = one, other
    length = float(network.lengths[a // 2])
    if a == b and there >= here - noise:
        return max(0.0, there - here)
    if a // 2 == b // 2 and a != b:
        return turn + abs(length - there - here)
    return length - here + distances(network, a).get(directed(network)[b][0], math.inf) + there


def cheapest(network: Network, points: list[tuple[float, float]], **how: float) -> float:
    """The cost of the most likely way through all positions; infinite where there is none."""
    layers = [states(network, x, y, how["radius"], int(how["most"]), how["error"]) for x, y in points]
    best = [cost for _, _, cost in layers[0]]
    for number in range(1, len(layers)):
        straight = math.dist(points[number - 1], points[number])
        extended = []
        for state in layers[number]:
            ways = [way_between(network, old, state, how["noise"], how["turn"]) for old in layers[number - 1]]
            extended.append(
                min(
                    (
                        so_far + state[2] + abs(way - straight) / how["beta"]
                        for so_far, way in zip(best, ways, strict=True)
                        if way <= 2 * straight + how["slack"]
                    ),
                    default=math.inf,
                )
            )
        best = extended
    return min(best, default=math.inf)
