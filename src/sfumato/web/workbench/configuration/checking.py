"""A policy compared with the data, for a k.  `work` runs without Django, in a job where the data are large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.web.workbench.loading import load

__all__ = ["finish", "work"]


def work(
    *,
    source: dict[str, Any],
    role: str,
    k: int | None,
    progress: Any = None,
    folder: str = "",
    **facts: Any,  # noqa: ARG001
) -> dict[str, Any]:
    """Whether a privacy or a utility policy, which is among the assets of the source, can be kept."""
    from sfumato.privacy.policy_feasibility import review_privacy_policy, review_utility_policy

    if progress is not None:
        progress("reading", 0, 0)
    data: Any = load(source, Path(folder))
    items = data.items if data.kind == "mixed" else data
    if progress is not None:
        progress("checking", 0, 0)
    if role == "utility":
        review = review_utility_policy(items.utility_policy, items)
    else:
        review = review_privacy_policy(items.privacy_policy, items, k=k, utility=items.utility_policy)
    return {**review.to_json(), "k": k}


def finish(job: Any, result: dict[str, Any]) -> None:
    """Keep the answer with the policy; it holds figures, no items."""
    from sfumato.web.workbench.models import Asset

    asset = Asset.objects.get(pk=job.arguments["asset"])
    asset.facts["review"] = result
    asset.save(update_fields=["facts"])
