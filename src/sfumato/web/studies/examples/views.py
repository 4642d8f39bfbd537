"""Open the demonstration study; it is made if the user has none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import leads_studies
from sfumato.web.studies.examples.study import example_of
from sfumato.web.studies.pages import PAGES

__all__ = ["example"]


@leads_studies
@require_POST
def example(request: HttpRequest) -> HttpResponse:
    """Go to the demonstration study, on the page that `page` names."""
    page = request.POST.get("page", "")
    known = page in {each.address for each in PAGES}
    return redirect(f"study-{page}" if known else "study", example_of(request.user).id)
