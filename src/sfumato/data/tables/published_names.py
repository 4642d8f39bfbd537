"""The names that nodes of a column's hierarchy have in a release: a function of the values of published rows alone.

The nodes of a hierarchy that was computed from the data are named after all of them.  Published like that, the end of
an interval, the number of a group or the length of a mask would say something about suppressed rows.  So these names
are computed again, always by the same rules: an interval goes from the smallest to the largest published number below
it, groups are numbered in the order of their published members, and a mask is as long as the published texts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data.base import Ints
from sfumato.data.queries import span_of
from sfumato.data.taxonomy import ROOT

if TYPE_CHECKING:
    from sfumato.data.tables.encoding import Attribute

__all__ = ["MISSING", "group_labels", "is_numbered_group", "masked_name", "published_names", "unused_name"]

MISSING = "(missing)"
_MIDNIGHT = "T00:00:00"


def published_names(attribute: Attribute, leaves: Ints, used: Ints, rule: str) -> list[str]:
    """The names of the nodes of a hierarchy that was computed from the data.

    leaves : the leaves of published rows, rising.  used : the nodes that are published.  rule : of a hierarchy that was
    derived by a rule, otherwise empty.
    """
    names = list(attribute.names)
    known = leaves[leaves != attribute.missing]
    values = {names[attribute.leaf_node[leaf]] for leaf in known}
    if attribute.sizes is not None:
        return _calendar_names(attribute, names, leaves, values)
    inner = sorted(set(range(len(names))) - set(attribute.leaf_node.tolist()))
    if set(names[0]) == set(ROOT):
        names[0] = unused_name(ROOT, values)
    intervals = [node for node in inner if attribute.ranges or _is_interval(names[node])]
    if attribute.ranges and attribute.missing in leaves:
        intervals.remove(0)  # it also stands for the missing value
    _name_intervals(attribute, names, intervals, known)
    if "prefix:" in rule:
        for node in inner:
            names[node] = masked_name(names[node], values)
    if "balanced:" in rule or "frequency:" in rule:
        _name_groups(attribute, names, np.intersect1d(used, inner).tolist(), known)
    if attribute.missing >= 0:
        names[attribute.leaf_node[attribute.missing]] = unused_name(MISSING, values)
    return names


def is_numbered_group(name: str) -> bool:
    """Whether a name is that of a group of a derived hierarchy.

    >>> is_numbered_group("group 2.1"), is_numbered_group("group two")
    (True, False)
    """
    return re.fullmatch(r"group\** \d+(\.\d+)*", name) is not None


def group_labels(groups: Iterable[tuple[str, ...]], values: Iterable[str]) -> dict[tuple[str, ...], str]:
    """A label for each group of values: the value of a group of one, otherwise a number in the order of their members.

    values : what no label may be called.

    >>> group_labels([("c", "d"), ("a", "b"), ("e",)], ["g7"])
    {('a', 'b'): 'gg1', ('c', 'd'): 'gg2', ('e',): 'e'}
    """
    prefix, values, groups = "g", list(values), set(groups)
    while any(re.fullmatch(rf"{prefix}\d+", value) for value in values):
        prefix += "g"
    several = sorted(group for group in groups if len(group) > 1)
    labels = {group: f"{prefix}{number}" for number, group in enumerate(several, start=1)}
    return labels | {group: group[0] for group in sorted(groups) if len(group) == 1}


def masked_name(name: str, values: Collection[str]) -> str:
    """A prefix with a star for each masked character, or with one star where the values differ in length.

    A name of another form stays.

    >>> masked_name("13*", ["1305", "1316"]), masked_name("13**", ["1305", "131"]), masked_name("Rome", ["1305"])
    ('13**', '13*', 'Rome')
    """
    lengths, prefix = {len(value) for value in values}, name.rstrip("*")
    if prefix == name or "*" in prefix:
        return name
    return prefix + "*" * (max(lengths) - len(prefix) if len(lengths) == 1 else 1)


def unused_name(name: str, used_names: object) -> str:
    """The name, with stars appended until it is not in use."""
    while name in used_names:  # type: ignore[operator]
        name += ROOT
    return name


def _calendar_names(attribute: Attribute, names: list[str], leaves: Ints, values: set[str]) -> list[str]:
    names[0] = attribute.root_for_published(leaves)
    if values and all(value.endswith(_MIDNIGHT) for value in values):  # days, were it not for suppressed times
        for node in attribute.leaf_node:
            names[node] = names[node].removesuffix(_MIDNIGHT)
    return names


def _name_intervals(attribute: Attribute, names: list[str], nodes: list[int], known: Ints) -> None:
    """Name intervals after the smallest and the largest published number below them."""
    spans = [(int(leaf), span_of(names[attribute.leaf_node[leaf]])) for leaf in known]
    numbers = np.array([leaf for leaf, span in spans if span is not None], dtype=np.int64)
    ends = np.array([span[0] for _, span in spans if span is not None])
    for node in nodes:
        first, stop = np.searchsorted(numbers, [attribute.first[node], attribute.stop[node]])
        if first < stop:
            low, high = (numbers[first + find(ends[first:stop])] for find in (np.argmin, np.argmax))
            lowest, highest = (names[attribute.leaf_node[leaf]] for leaf in (low, high))
            names[node] = lowest if low == high else f"[{lowest}:{highest}]"


def _name_groups(attribute: Attribute, names: list[str], nodes: list[int], known: Ints) -> None:
    """Number the groups that are published in the order of their published members."""
    members = {}
    for node in nodes:
        first, stop = np.searchsorted(known, [attribute.first[node], attribute.stop[node]])
        if is_numbered_group(names[node]):
            members[node] = tuple(sorted(names[attribute.leaf_node[leaf]] for leaf in known[first:stop]))
    labels = group_labels(members.values(), [names[attribute.leaf_node[leaf]] for leaf in known])
    for node, group in members.items():
        names[node] = labels[group]


def _is_interval(name: str) -> bool:
    return name.startswith("[") and span_of(name) is not None
