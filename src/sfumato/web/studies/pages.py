"""The pages of a study: the first part of their address, their folder, their title, and who may open them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.web.accounts.access import STUDY_ROLES
from sfumato.web.workbench.pages import Link

__all__ = ["PAGES", "Page", "rail_of"]


class Page(NamedTuple):
    """address : the first part of the address; the first page has the name ``study-<address>``.

    folder : of `sfumato.web.studies`.  grant : what a participant needs.
    """

    address: str
    folder: str
    title: str
    role: str
    grant: str = ""


PAGES = (
    Page("enter", "entry", gettext_noop("Enter"), "participant", "enter"),
    Page("entries", "entries", gettext_noop("Entries"), "participant"),
    Page("filter", "filtering", gettext_noop("Filter"), "participant", "filter"),
    Page("chart", "charting", gettext_noop("Chart"), "participant", "chart"),
    Page("export", "exporting", gettext_noop("Export"), "participant", "export"),
    Page("design", "design", gettext_noop("Design"), "inspector"),
    Page("people", "people", gettext_noop("People"), "inspector"),
    Page("release", "releasing", gettext_noop("Release"), "administrator"),
)


def rail_of(request: HttpRequest, study: Any) -> list[Link]:
    """The pages of a study that the user may open."""
    links = []
    for page in PAGES:
        if STUDY_ROLES.index(request.study_role) < STUDY_ROLES.index(page.role):
            continue
        if page.grant and page.grant not in request.grants:
            continue
        try:
            url = reverse(f"study-{page.address}", args=[study.id])
        except NoReverseMatch:
            continue
        links.append(Link(url, _(page.title), request.path.startswith(url)))
    return links
