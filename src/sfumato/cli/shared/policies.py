"""Policies from the options of a command: a file, or a rule such as all:2."""

from __future__ import annotations

from typing import Any

import click

from sfumato.data import Policy

__all__ = ["with_policies"]

_RULES: dict[str, dict[str, tuple[str, ...]]] = {
    "privacy": {"all": ("SIZE",), "rare": ("SIZE", "BELOW"), "frequent": ("SIZE", "FROM")},
    "utility": {"siblings": ("LEVEL",)},
}


def with_policies(data: Any, privacy: str | None, utility: str | None) -> Any:
    """The data with the policies that the options name."""
    if privacy is None and utility is None:
        return data
    if data.kind != "transactions":
        raise click.UsageError(f"policies: wanted transactions, found {data.kind}; leave the policies out")
    return data.with_policies(_policy("privacy", privacy, data), _policy("utility", utility, data))


def _policy(which: str, text: str | None, data: Any) -> Policy | None:
    from sfumato.io import read_policy
    from sfumato.prepare.policies import every_set, frequent_sets, rare_sets, siblings

    if text is None:
        return None
    rule, *numbers = text.split(":")
    if rule not in _RULES[which] or not numbers:
        return read_policy(text)
    wanted = _RULES[which][rule]
    if len(numbers) != len(wanted) or not all(number.isdecimal() and int(number) > 0 for number in numbers):
        raise click.UsageError(
            f"--{which}-policy: wanted {':'.join((rule, *wanted))} with whole numbers of at least 1, found {text!r}"
        )
    values = [int(number) for number in numbers]
    if rule == "all":
        return every_set(*values)
    if rule == "siblings":
        if data.taxonomy is None:
            raise click.UsageError("--utility-policy siblings needs a hierarchy of the items; give --taxonomy FILE")
        return siblings(data.taxonomy, *values)
    return rare_sets(data, *values) if rule == "rare" else frequent_sets(data, *values)
