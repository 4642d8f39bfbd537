"""Context that was computed from the private data and published as if it had been given."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from sfumato.attacks.leaks.leak import Leak
from sfumato.data import Chunks, Dataset, Mixed, Places, Policy, Trajectories, Transactions
from sfumato.io.published.certificate import Certificate
from sfumato.kernels.recoding.pattern_counts import count_patterns

__all__ = ["contradictions", "derived_leaks", "unpublished_sensitive"]

_PLACES = "context/places.csv"
_LARGEST = 3  # longer constraints are too many to count all sets of their size


def contradictions(data: Dataset | None, certificate: Certificate, files: Collection[str]) -> Iterator[Leak]:
    """Context that the certificate calls computed from private data, and that is there nevertheless."""
    rules = certificate.policy or {}
    for name in ("privacy_policy", "utility_policy", "taxonomy"):
        if name in rules and f"context/{name}.csv" in files:
            yield Leak("derived", f"context/{name}.csv", "side knowledge that was computed from the private data")
    if isinstance(data, Trajectories) and data.places is not None:
        yield from _listed_places(data, data.places, "places" in rules)


def _listed_places(data: Trajectories, places: Places, derived: bool) -> Iterator[Leak]:
    """Places of which no label speaks, and coordinates, where they are computed from private visits.

    derived : the certificate says that the places come from the visits.
    """
    hidden = len(set(places.frame["location"].to_list()) - _places_of(data))
    if derived and hidden:
        yield Leak("derived", _PLACES, f"{hidden} visited places that are not published")
    if derived and places.located:
        yield Leak("derived", _PLACES, "coordinates of places that were computed from the private visits")
    if hidden and places.located and not {"owner", "sensitive"} & set(places.frame.columns):
        yield Leak("derived", _PLACES, f"{hidden} places that no published label stands for")


def _places_of(data: Trajectories) -> set[str]:
    """The published places; a time slot ``a@14`` is of the place ``a``."""
    members = data.published_members()
    return members | {member.rpartition("@")[0] for member in members}


def unpublished_sensitive(data: Dataset | None, certificate: Certificate) -> Iterator[Leak]:
    """Sensitive items that no label stands for: they show what was suppressed."""
    items = data.items if isinstance(data, Mixed) else data
    if not isinstance(items, Transactions | Chunks) or certificate.version.startswith("0.1."):
        return
    published = items.published_members() if isinstance(items, Transactions) else set(items.names)
    hidden = len(items.sensitive - published)
    if hidden:
        yield Leak("derived", "context/sensitive.csv", f"{hidden} sensitive items that are not published")


def derived_leaks(data: Dataset | None, original: Dataset | None, files: Collection[str]) -> Iterator[Leak]:
    """Policies that are what a rule computes from the original, and lists of just what occurs in it."""
    public, private = (some.items if isinstance(some, Mixed) else some for some in (data, original))
    if isinstance(public, Transactions) and isinstance(private, Transactions) and public.privacy_policy is not None:
        yield from _policy(public.privacy_policy, private)
    if not isinstance(data, Trajectories) or not isinstance(original, Trajectories):
        return
    visited, published = set(original.with_used_names().names), data.published_members()
    lists: dict[str, tuple[str, ...]] = {}
    given = original.places is not None and not original.places.derived
    if data.places is not None and not given:
        lists[_PLACES] = tuple(data.places.frame["location"].to_list())
        if data.places.located and original.places is not None and _same_points(data.places, original.places):
            yield Leak("derived", _PLACES, "coordinates that are exactly those computed from the private visits")
    if data.taxonomy is not None and (original.taxonomy is None or original.taxonomy.rule):
        lists["context/taxonomy.csv"] = data.taxonomy.leaves
    for name, listed in lists.items():
        if name in files and set(listed) <= visited and not set(listed) <= published:
            hidden = len(set(listed) - published)
            yield Leak(
                "derived",
                name,
                f"exactly the places that the original data visit; {hidden} of {len(listed)} are not published",
            )


def _same_points(published: Places, visited: Places) -> bool:
    """Whether every published place has, to the last digit, the coordinates that the visits give it."""
    names = [name for name in published.frame["location"].to_list() if visited.rows([name])[0] >= 0]
    if not names or not visited.located or visited.geographic != published.geographic:
        return False
    return bool(np.array_equal(published.coordinates(names), visited.coordinates(names)))


def _policy(policy: Policy, original: Transactions) -> Iterator[Leak]:
    sizes = {len(itemset) for itemset in policy.sets}
    if len(sizes) != 1 or (size := sizes.pop()) > _LARGEST:
        return
    grouped, unit_offsets = original.by_unit()
    keys, counts = count_patterns(grouped.codes, grouped.offsets, unit_offsets, len(original.names), size, size)
    supports = {
        tuple(original.names[code] for code in key): int(count)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True)
    }
    protected = set(policy.sets)
    if not protected <= supports.keys():
        return
    held = np.array([supports[itemset] for itemset in protected])
    rare = {itemset for itemset, support in supports.items() if support <= held.max()}
    frequent = {itemset for itemset, support in supports.items() if support >= held.min()}
    if len(supports) > len(protected) and protected in (rare, frequent):
        rule = f"rare:{size}:{held.max() + 1}" if protected == rare else f"frequent:{size}:{held.min()}"
        what = "constraint" if len(protected) == 1 else "constraints"
        yield Leak(
            "derived",
            "context/privacy_policy.csv",
            f"{len(protected)} {what}, exactly those that the rule {rule} computes from the private data",
        )
