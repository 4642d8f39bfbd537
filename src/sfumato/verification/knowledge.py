"""The side knowledge of a check (quasi-identifiers, sensitive values, owners ...): from the release or the original."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from sfumato.data import Chunks, Dataset, Mixed, Places, Policy, RoadTrajectories, Table, Trajectories, Transactions

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

    counted : the side knowledge that was used.  differences : where the release contradicts the original.
    """

    data: Any
    counted: list[Counted] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)


def claimed_knowledge(data: Dataset, context: Collection[str], unit: str) -> Knowledge:
    """The side knowledge of the release itself."""
    knowledge = Knowledge(data, [Counted("unit", unit, "release")])
    for what, value in _facts(data, context).items():
        knowledge.counted.append(Counted(what, _as_short_text(value), "release"))
    if isinstance(data, Trajectories) and data.places is not None and data.places.located:
        knowledge.counted.append(Counted("coordinates of places", f"{len(data.places):,}", "release"))
    return knowledge


def knowledge_of_original(
    data: Dataset, original: Dataset, context: Collection[str], claimed: Collection[str], *, shares: bool = False
) -> Knowledge:
    """The published data with the side knowledge of the original; what it lacks is the release's and called claimed.

    claimed : what the original only repeats from the release: "quasi-identifiers", "sensitive", "network".
    shares : whether a promise bounds how many have a sensitive item, so that naming none is a claim as well.
    """
    knowledge = Knowledge(data)
    if isinstance(data, Mixed) and isinstance(original, Mixed):
        table = knowledge_of_original(data.table, original.table, context, claimed)
        items = _of_items(data.items, original.items, context, shares)
        knowledge.data = replace(data, table=table.data, items=items.data)
        knowledge.counted = [*table.counted, *items.counted]
        knowledge.differences = [*table.differences, *items.differences]
    elif isinstance(data, Table) and isinstance(original, Table):
        _roles(knowledge, data, original, claimed)
    elif isinstance(data, RoadTrajectories) and isinstance(original, RoadTrajectories):
        _network(knowledge, data, original, claimed)
    elif isinstance(data, Trajectories) and isinstance(original, Trajectories):
        _places(knowledge, data, original, context)
    elif isinstance(data, Transactions | Chunks) and isinstance(original, Transactions):
        knowledge = _of_items(data, original, context, shares)
    return knowledge


def _facts(data: Dataset, context: Collection[str]) -> dict[str, Any]:
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


def _as_short_text(value: Any) -> str:
    if isinstance(value, Policy):
        return value.rule or (f"all sets of up to {value.size} items" if value.size else _constraints(value))
    if isinstance(value, tuple | list):
        more = f" and {len(value) - _MANY:,} more" if len(value) > _MANY else ""
        return (", ".join(str(entry) for entry in value[:_MANY]) or "none") + more
    return f"{len(value):,} nodes" if hasattr(value, "leaves") else f"{len(value.roads):,}"


def _constraints(policy: Policy) -> str:
    return "1 constraint" if len(policy) == 1 else f"{len(policy):,} constraints"


def _roles(knowledge: Knowledge, data: Table, original: Table, claimed: Collection[str]) -> None:
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
            knowledge.differences.append(
                f"the column {column!r} is published as {data.role(column)}, the original calls it {role}"
            )
    if known:
        knowledge.data = replace(data, quasi_identifiers=known, sensitive=sensitive)
    # nothing stronger can be claimed than that an attacker may know every column that is not sensitive
    every = set(known) == set(columns) - set(sensitive)
    claims = {"quasi-identifiers": "quasi-identifiers" in claimed and not every}
    claims["sensitive columns"] = "sensitive" in claimed and bool(sensitive)
    for what, value in _facts(knowledge.data, ()).items():
        knowledge.counted.append(Counted(what, _as_short_text(value), "claimed" if claims[what] else "original"))


def _network(
    knowledge: Knowledge, data: RoadTrajectories, original: RoadTrajectories, claimed: Collection[str]
) -> None:
    if "network" not in claimed:
        published, private = (dataset.network.to_frames() for dataset in (data, original))
        if any(not a.equals(b) for a, b in zip(published, private, strict=True)):
            knowledge.differences.append("the network of the release is not the network of the original")
            knowledge.data = replace(data, network=original.network)
    by: Source = "claimed" if "network" in claimed else "original"
    knowledge.counted.append(Counted("roads of the network", _as_short_text(data.network), by))


def _places(knowledge: Knowledge, data: Trajectories, original: Trajectories, context: Collection[str]) -> None:
    listed = () if data.places is None else data.places.frame["location"].to_list()
    members = sorted({*data.published_members(), *listed})
    if "taxonomy" in context:
        if original.taxonomy is not None:
            if data.taxonomy is not None and data.taxonomy != original.taxonomy:
                knowledge.differences.append("the taxonomy of the release is not the taxonomy of the original")
            knowledge.data = replace(knowledge.data, taxonomy=original.taxonomy)
        _count(knowledge, "taxonomy", knowledge.data.taxonomy, known=original.taxonomy is not None)
    if "sensitive" in context:
        published, private = data.sensitive_among(members), original.sensitive_among(members)
        _take(knowledge, "sensitive places", published, private, known=original.flags_sensitive)
        if original.flags_sensitive:
            knowledge.data = replace(knowledge.data, places=original.places, taxonomy=original.taxonomy)
    if "owner" in context:
        owners = {} if data.places is None else data.places.facts(members, "owner")
        others = {} if original.places is None else original.places.facts(members, "owner")
        _take(knowledge, "owners of places", _pairs(owners), _pairs(others), known=original.knows_owners)
        if original.knows_owners:
            knowledge.data = replace(knowledge.data, places=original.places)
    if data.places is not None and data.places.located:
        _geometry(knowledge, data.places, original.places)


def _geometry(knowledge: Knowledge, published: Places, given: Places | None) -> None:
    """Published coordinates are those of the places that were given with the original; else they are claimed."""
    names = published.frame["location"].to_list()
    comparable = given is not None and not given.derived and given.located
    if comparable and given is not None:
        rows = given.rows(names)
        known = [name for name, row in zip(names, rows, strict=True) if row >= 0]
        different = len(names) - len(known)
        if given.geographic != published.geographic:
            different = len(names)
        else:
            moved = published.coordinates(known) != given.coordinates(known)
            different += int(np.count_nonzero(moved.any(axis=1)))
        if different:
            knowledge.differences.append(
                f"the coordinates of {different:,} of {len(names):,} published places are not those of the given places"
            )
    source: Source = "original" if comparable else "claimed"
    knowledge.counted.append(Counted("coordinates of places", f"{len(names):,}", source))


def _pairs(owners: dict[str, Any]) -> frozenset[str]:
    return frozenset(f"{place} of {owner}" for place, owner in owners.items())


def _of_items(data: Any, original: Transactions, context: Collection[str], shares: bool) -> Knowledge:
    knowledge = Knowledge(data)
    if "sensitive" in context:
        names = data.published_members() if isinstance(data, Transactions) else set(data.names)
        named = original.sensitive & names
        known = bool(original.sensitive) or not (data.sensitive or shares)
        _take(knowledge, "sensitive items", data.sensitive, named, known=known)
        if known:
            knowledge.data = replace(knowledge.data, sensitive=named)
    for name in ("privacy_policy", "utility_policy"):
        if name not in context or not isinstance(data, Transactions):
            continue
        published, private = getattr(data, name), getattr(original, name)
        if private is not None and published != private.named():
            knowledge.differences.append(f"the {name.replace('_', ' ')} of the release is not the one of the original")
        if published is not None or private is not None:
            _count(
                knowledge,
                name.replace("_", " "),
                private if private is not None else published,
                known=private is not None,
            )
    return knowledge


def _take(knowledge: Knowledge, what: str, published: frozenset[str], private: frozenset[str], *, known: bool) -> None:
    if known and published != private:
        knowledge.differences.append(
            f"{what}: the release names {len(published - private):,} that the original does not name, and lacks "
            f"{len(private - published):,} of the original's"
        )
    _count(knowledge, what, sorted(private if known else published), known=known)


def _count(knowledge: Knowledge, what: str, value: Any, *, known: bool) -> None:
    if value is not None:
        knowledge.counted.append(Counted(what, _as_short_text(value), "original" if known else "claimed"))
