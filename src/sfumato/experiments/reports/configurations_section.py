"""The section of a comparison's page about the configurations: policies, hierarchies, and releases that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from sfumato.experiments.definition.knowledge_sources import SOURCES
from sfumato.experiments.reports.report_section import ReportSection

if TYPE_CHECKING:
    from sfumato.experiments.comparison import Comparison
    from sfumato.experiments.reports.comparison_page import Picture

__all__ = ["Configurations"]


@dataclass(frozen=True, kw_only=True)
class Configurations(ReportSection):
    """What each configuration used, and with which hierarchy figures are computed."""

    name: ClassVar[str] = "configurations"

    def html(self, comparison: Comparison, charts: Mapping[str, Picture]) -> str:  # noqa: ARG002
        return _configurations(comparison)


def _configurations(comparison: Comparison) -> str:
    """A table of the configurations: method, parameters, and the side knowledge that any of them has."""
    configurations = comparison.experiment.configurations
    used = [name for name in SOURCES if any(name in configuration.sources for configuration in configurations)]
    if not used and not comparison.releases:
        return ""
    head = ["configuration", "method", "parameters", *(name.replace("_", " ") for name in used)]
    rows = []
    for configuration in configurations:
        parameters = ", ".join(f"{name}={value}" for name, value in configuration.parameters.items())
        sources = (configuration.sources.get(name, "none") for name in used)
        rows.append([configuration.name, configuration.method, parameters, *sources])
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<div class='wide'><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    note = f"<p>{escape(comparison.measured_with)}.</p>" if comparison.measured_with else ""
    return f"<h2>Configurations</h2>{table}{note}{_releases(comparison)}"


def _releases(comparison: Comparison) -> str:
    """The releases that are kept, and why at most one of them may be published."""
    if not comparison.releases:
        return ""
    names = [folder.relative_to(comparison.out).as_posix() for folder in comparison.releases]
    items = "".join(f"<li><a href='{quote(name)}/'>{escape(name)}</a></li>" for name in names)
    return (
        f"<details><summary>Releases that are kept: {len(names)}</summary><p>Publish at most one of them: an attacker "
        f"who has several releases about the same persons can combine them.</p><ul>{items}</ul></details>"
    )
