"""What the advice on data becomes: the definition of an evaluation."""

from __future__ import annotations

from typing import Any

from sfumato.errors import CallerError
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Asset, Run

__all__ = ["add_policy", "definition_of"]


def definition_of(run: Run, number: int) -> dict[str, Any]:
    """The definition of an evaluation that runs a candidate of an advice; without a seed, which would be private."""
    candidates = run.summary.get("candidates", [])
    if run.mode != "advise" or not 0 <= number < len(candidates):
        raise CallerError("advise: wanted a candidate of this advice, found none")
    candidate = candidates[number]
    return {
        "version": None if run.version is None else str(run.version_id),
        "method": candidate["method"],
        "parameters": candidate["parameters"],
        "measures": candidate["measures"],
        "promises": candidate["promises"],
        "preparation": candidate.get("preparation", []),
        "seed": None,
        "vary": None,
    }


def add_policy(run: Run, number: int, user: Any) -> Asset | None:
    """The privacy policy of all sets of items that the advice added to the data, where the data have none."""
    size = run.summary["candidates"][number]["policy_size"]
    if not size or run.version is None:
        return None
    dataset = run.version.dataset
    if dataset.assets.filter(kind="privacy_policy", current=True).exists():
        return None
    rule = f"all:{size}"
    asset = Asset.objects.create(dataset=dataset, kind="privacy_policy", name=rule, text=rule, by=user)
    Event.record(user, "configure", f"asset {asset.id}", project=run.project)
    return asset
