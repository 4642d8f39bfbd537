"""The pages of a project: the first part of their address, their folder, their title, and who may open them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

__all__ = ["PAGES", "Link", "Page", "rail_of"]


class Page(NamedTuple):
    """address : the first part of the address, and the name of the first page.  folder : of `sfumato.web.workbench`."""

    address: str
    folder: str
    title: str
    role: str


class Link(NamedTuple):
    """An entry of the rail."""

    url: str
    name: str
    here: bool


PAGES = (
    Page("data", "datasets", gettext_noop("Data"), "viewer"),
    Page("config", "configuration", gettext_noop("Configuration"), "member"),
    Page("queries", "queries", gettext_noop("Queries"), "member"),
    Page("audit", "auditing", gettext_noop("Audit"), "viewer"),
    Page("advise", "advising", gettext_noop("Advice"), "viewer"),
    Page("evaluate", "evaluation", gettext_noop("Evaluate"), "member"),
    Page("compare", "comparison", gettext_noop("Compare"), "member"),
    Page("runs", "runs", gettext_noop("Runs"), "viewer"),
    Page("releases", "releases", gettext_noop("Releases"), "viewer"),
    Page("ledger", "ledger", gettext_noop("Ledger"), "viewer"),
    Page("export", "exporting", gettext_noop("Export"), "member"),
    Page("members", "members", gettext_noop("People"), "owner"),
)
_ORDER = ("viewer", "member", "owner")


def rail_of(request: HttpRequest, project: Any, role: str) -> list[Link]:
    """The pages of a project that a role may open."""
    links = []
    for page in PAGES:
        if _ORDER.index(role) < _ORDER.index(page.role):
            continue
        try:
            url = reverse(page.address, args=[project.id])
        except NoReverseMatch:
            continue
        links.append(Link(url, _(page.title), request.path.startswith(url)))
    return links
