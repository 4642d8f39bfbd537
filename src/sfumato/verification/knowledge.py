"""What counts as quasi-identifier, sensitive, owner and so on: as the release claims it, or as the original says."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sfumato.data import Chunks, Mixed, Policy, RoadTrajectories, Table, Trajectories, Transactions

__all__ = ["Counted", "Knowledge", "claimed_knowledge", "knowledge_of_original"]

Source = Literal["release", "original", "claimed"]
_MANY = 8


@dataclass(frozen=True)
class Counted:
    """What counted as something during a check.

    source : "release" where no original was given, "original", or "claimed" where an original was given that does not
    say, so that the release had to be believed.
    """

    what: str
    value: str
    source: Source

    @property
    def sentence(self) -> str:
        by = {"release": "as the release says", "original": "as the original says"}.get(
            self.source, "claimed by the release, not confirmed by the original"
        )
        return f"{self.what}: {self.value} ({by})"

    def to_json(self) -> dict[str, str]:
        return {"what": self.what, "value": self.value, "source": self.source}


@dataclass
class Knowledge:
    """The published data with the side knowledge to check them by.

    counted : what counted as what.  differences : where the release says something else than the original.
    """

    data: Any
    counted: list[Counted] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def claimed_knowledge(data: Any, context: Collection[str], unit: str) -> Knowledge:
    """What the release says itself."""
    found = Knowledge(data, [Counted("unit", unit, "release")])
    for what, value in _facts(data, context).items():
        found.counted.append(Counted(what, _short(value), "release"))
    return found


def knowledge_of_original(
    data: Any, original: Any, context: Collection[str], claimed: Collection[str], *, shares: bool = False
) -> Knowledge:
    """The published data with what the original says; what it does not say is the release's and called claimed.

    claimed : what the original only repeats from the release: "quasi-identifiers", "sensitive", "network".
    shares : whether a promise bounds how many have a sensitive item, so that naming none is a claim as well.
    """
    found = Knowledge(data)
    if isinstance(data, Mixed) and isinstance(original, Mixed):
        table = knowledge_of_original(data.table, original.table, context, claimed)
        items = _of_items(data.items, original.items, context, shares)
        found.data = replace(data, table=table.data, items=items.data)
        found.counted = [*table.counted, *items.counted]
        found.differences = [*table.differences, *items.differences]
    elif isinstance(data, Table) and isinstance(original, Table):
        _roles(found, data, original, claimed)
    elif isinstance(data, RoadTrajectories) and isinstance(original, RoadTrajectories):
        _network(found, data, original, claimed)
    elif isinstance(data, Trajectories) and isinstance(original, Trajectories):
        _places(found, data, original, context)
    elif isinstance(data, Transactions | Chunks) and isinstance(original, Transactions):
        found = _of_items(data, original, context, shares)
    return found


def _facts(data: Any, context: Collection[str]) -> dict[str, Any]:
    """The side knowledge that promises speak of, by what it is called."""
    if isinstance(data, Mixed):
        return {**_facts(data.table, context), **_facts(data.items, context)}
    facts: dict[str, Any] = {}
    if isinstance(data, Table):
        facts = {"quasi-identifiers": data.quasi_identifiers, "sensitive columns": data.sensitive}
    elif isinstance(data, Trajectories):
        members = data.published_members()
        if "sensitive" in context:
            facts["sensitive places"] = sorted(data.sensitive_among(members))
        if "owner" in context:
            owners = {} if data.places is None else data.places.facts(sorted(members), "owner")
            facts["owners of places"] = sorted({str(owner) for owner in owners.values()})
        if "taxonomy" in context:
            facts["taxonomy"] = data.taxonomy
    elif isinstance(data, Transactions | Chunks):
        if "sensitive" in context:
            facts["sensitive items"] = sorted(data.sensitive)
        for policy in ("privacy_policy", "utility_policy"):
            if policy in context:
                facts[policy.replace("_", " ")] = getattr(data, policy, None)
    elif isinstance(data, RoadTrajectories):
        facts["roads of the network"] = data.network
    return {what: value for what, value in facts.items() if value is not None}


def _short(value: Any) -> str:
    if isinstance(value, Policy):
        return value.rule or (f"all sets of up to {value.size} items" if value.size else _constraints(value))
    if isinstance(value, tuple | list):
        more = f" and {len(value) - _MANY:,} more" if len(value) > _MANY else ""
        return (", ".join(str(one) for one in value[:_MANY]) or "none") + more
    return f"{len(value):,} nodes" if hasattr(value, "leaves") else f"{len(value.roads):,}"


def _constraints(policy: Policy) -> str:
    return "1 constraint" if len(policy) == 1 else f"{len(policy):,} constraints"


def _roles(found: Knowledge, data: Table, original: Table, claimed: Collection[str]) -> None:
    """Roles of columns that the original gives are compared and used; the others are the release's."""
    columns = data.frame.columns
    sensitive = data.sensitive
    if "sensitive" not in claimed:
        sensitive = tuple(column for column in columns if column in original.sensitive)
    known = data.quasi_identifiers
    if "quasi-identifiers" not in claimed:
        known = tuple(column for column in columns if column in original.quasi_identifiers and column not in sensitive)
    for column in columns:
        role = "sensitive" if column in sensitive else "quasi-identifier" if column in known else "other"
        if data.role(column) != role:
            found.differences.append(
                f"the column {column!r} is published as {data.role(column)}, the original calls it {role}"
            )
    if known:
        found.data = replace(data, quasi_identifiers=known, sensitive=sensitive)
    # nothing stronger can be claimed than that an attacker may know every column that is not sensitive
    every = set(known) == set(columns) - set(sensitive)
    claims = {"quasi-identifiers": "quasi-identifiers" in claimed and not every}
    claims["sensitive columns"] = "sensitive" in claimed and bool(sensitive)
    for what, value in _facts(found.data, ()).items():
        found.counted.append(Counted(what, _short(value), "claimed" if claims[what] else "original"))


def _network(found: Knowledge, data: RoadTrajectories, original: RoadTrajectories, claimed: Collection[str]) -> None:
    if "network" not in claimed:
        mine, other = (one.network.to_frames() for one in (data, original))
        if any(not a.equals(b) for a, b in zip(mine, other, strict=True)):
            found.differences.append("the network of the release is not the network of the original")
            found.data = replace(data, network=original.network)
    by: Source = "claimed" if "network" in claimed else "original"
    found.counted.append(Counted("roads of the network", _short(data.network), by))


def _places(found: Knowledge, data: Trajectories, original: Trajectories, context: Collection[str]) -> None:
    named = () if data.places is None else data.places.frame["location"].to_list()
    members = sorted({*data.published_members(), *named})
    if "taxonomy" in context:
        if original.taxonomy is not None:
            if data.taxonomy is not None and data.taxonomy != original.taxonomy:
                found.differences.append("the taxonomy of the release is not the taxonomy of the original")
            found.data = replace(found.data, taxonomy=original.taxonomy)
        _count(found, "taxonomy", found.data.taxonomy, known=original.taxonomy is not None)
    if "sensitive" in context:
        mine, other = data.sensitive_among(members), original.sensitive_among(members)
        _take(found, "sensitive places", mine, other, known=original.flags_sensitive)
        if original.flags_sensitive:
            found.data = replace(found.data, places=original.places, taxonomy=original.taxonomy)
    if "owner" in context:
        owners = {} if data.places is None else data.places.facts(members, "owner")
        others = {} if original.places is None else original.places.facts(members, "owner")
        _take(found, "owners of places", _pairs(owners), _pairs(others), known=original.knows_owners)
        if original.knows_owners:
            found.data = replace(found.data, places=original.places)


def _pairs(owners: dict[str, Any]) -> frozenset[str]:
    return frozenset(f"{place} of {owner}" for place, owner in owners.items())


def _of_items(data: Any, original: Transactions, context: Collection[str], shares: bool) -> Knowledge:
    found = Knowledge(data)
    if "sensitive" in context:
        names = data.published_members() if isinstance(data, Transactions) else set(data.names)
        named = original.sensitive & names
        known = bool(original.sensitive) or not (data.sensitive or shares)
        _take(found, "sensitive items", data.sensitive, named, known=known)
        if known:
            found.data = replace(found.data, sensitive=named)
    for name in ("privacy_policy", "utility_policy"):
        if name not in context or not isinstance(data, Transactions):
            continue
        mine, other = getattr(data, name), getattr(original, name)
        if other is not None and mine != other.named():
            found.differences.append(f"the {name.replace('_', ' ')} of the release is not the one of the original")
        if mine is not None or other is not None:
            _count(found, name.replace("_", " "), other if other is not None else mine, known=other is not None)
    return found


def _take(found: Knowledge, what: str, mine: frozenset[str], other: frozenset[str], *, known: bool) -> None:
    if known and mine != other:
        found.differences.append(
            f"{what}: the release names {len(mine - other):,} that the original does not, and lacks "
            f"{len(other - mine):,} that it does"
        )
    _count(found, what, sorted(other if known else mine), known=known)


def _count(found: Knowledge, what: str, value: Any, *, known: bool) -> None:
    if value is not None:
        found.counted.append(Counted(what, _short(value), "original" if known else "claimed"))
