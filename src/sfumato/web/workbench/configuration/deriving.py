"""Side knowledge computed from the data by a rule.  `work` runs without Django, in a job where the data are large."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sfumato.errors import DataError
from sfumato.web.workbench.loading import inside, load

__all__ = ["finish", "kept", "require_rule_of", "work"]


def work(
    *,
    source: dict[str, Any],
    kind: str,
    attribute: str,
    options: dict[str, Any],
    file: str,
    progress: Any = None,
    folder: str = "",
    **facts: Any,  # noqa: ARG001
) -> dict[str, Any]:
    """Compute side knowledge and write it to the file; returns the rule that makes it private, and figures about it.

    options : of a tree, those of `HierarchyRule`, `largest` and `categories`; of a policy, `rule`.
    """
    from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft
    from sfumato.web.workbench.configuration.states import write_state

    if progress is not None:
        progress("reading", 0, 0)
    place = Path(folder)
    assets = source["assets"] if kind != "hierarchy" else {}
    others = {name: value for name, value in assets.items() if name not in (kind, "privacy_policy", "utility_policy")}
    data = load({**source, "assets": others}, place)
    if progress is not None:
        progress("deriving", 0, 0)
    state: Any
    if kind in ("hierarchy", "taxonomy"):
        state = HierarchyDraft.of(_tree(data, attribute, dict(options)))
    elif kind == "places":
        state = _places(data)
    elif kind == "constraints":
        state = _constraints(data)
    else:
        state = _policy(data, kind, str(options["rule"]))
    derived, figures = write_state(kind, state, inside(place, file))
    return {"derived": derived, "facts": figures}


def finish(job: Any, result: dict[str, Any]) -> None:
    """Keep what a job derived."""
    from sfumato.web.workbench.models import Dataset

    kept(Dataset.objects.get(pk=job.arguments["dataset"]), job.arguments, result, job.user)


def kept(dataset: Any, wanted: dict[str, Any], result: dict[str, Any], user: Any) -> Any:
    """The asset of what was derived.  A policy keeps its rule, which computes it again for other versions."""
    from sfumato.web.workbench.configuration.assets import new_asset

    return new_asset(
        dataset,
        wanted["kind"],
        attribute=wanted["attribute"],
        file=wanted["file"],
        text=wanted["options"]["rule"] if wanted["kind"].endswith("_policy") else "",
        derived=result["derived"],
        facts=result["facts"],
        by=user,
    )


def require_rule_of(kind: str, rule: str) -> None:
    """Refuse a rule that makes no policy of a kind."""
    from sfumato.prepare.policies import is_rule, require_rule

    which: Any = kind.removesuffix("_policy")
    if not is_rule(which, rule):
        raise DataError("wanted a rule that makes such a policy, found another")
    require_rule(which, rule)


def _tree(data: Any, attribute: str, options: dict[str, Any]) -> Any:
    from sfumato.prepare.derived_hierarchies import derived_hierarchies
    from sfumato.prepare.hierarchies import HierarchyRule

    largest, categories = options.pop("largest", 50), options.pop("categories", [])
    column = attribute or (data.column if data.kind == "mixed" else "")
    trees = derived_hierarchies(
        data,
        [column] if column else [],
        HierarchyRule.from_json(options),
        largest=largest,
        sensitive=categories,
    )
    return next(iter(trees.values()))


def _places(data: Any) -> Any:
    """The places of the visits, or a list of the locations to be filled in."""
    import polars as pl

    from sfumato.io.places import marked_places

    if data.places is not None:
        return marked_places(data.places).cast(pl.String)
    return pl.DataFrame({"location": sorted(data.with_used_names().names)}).with_columns(derived=pl.lit("true"))


def _constraints(data: Any) -> Any:
    """One constraint for each category of places that were given."""
    import polars as pl

    places = data.places
    if places is None or places.derived or "category" not in places.frame.columns:
        raise DataError(
            "wanted a list of places that was loaded, with a category for each, found none; constraints that are "
            "computed from the visits would disclose them"
        )
    chosen = places.frame.select("location", pl.col("category").cast(pl.String).alias("constraint"))
    if chosen["constraint"].null_count():
        raise DataError(f"wanted a category for every place, found none for {chosen['constraint'].null_count()}")
    return chosen


def _policy(data: Any, kind: str, rule: str) -> Any:
    from sfumato.prepare.policies import named_policy

    require_rule_of(kind, rule)
    which: Any = kind.removesuffix("_policy")
    return named_policy(which, rule, data.items if data.kind == "mixed" else data)
