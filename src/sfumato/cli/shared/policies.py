"""Policies from the options of a command: a file, or a rule such as all:2."""

from __future__ import annotations

from typing import Any

import click

from sfumato.errors import ParameterError

__all__ = ["with_policies"]


def with_policies(data: Any, privacy: str | None, utility: str | None) -> Any:
    """The data with the policies that the options name."""
    from sfumato.prepare.policies import named_policy

    if privacy is None and utility is None:
        return data
    if data.kind not in ("transactions", "mixed"):
        raise click.UsageError(f"policies: wanted transactions or mixed records, found {data.kind}; leave them out")
    items = data.items if data.kind == "mixed" else data
    policies = []
    for which, text in (("privacy", privacy), ("utility", utility)):
        try:
            policies.append(None if text is None else named_policy(which, text, items))  # type: ignore[arg-type]
        except ParameterError as error:
            raise click.UsageError(f"--{which}-policy: {error}") from None
    return data.with_policies(*policies)
