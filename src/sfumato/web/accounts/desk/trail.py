"""The audit trail of the server, with a filter, as a page and as CSV."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from sfumato.web.accounts.access import ita
from sfumato.web.accounts.audit_trail.listing import SHOWN, Filter, as_csv
from sfumato.web.accounts.audit_trail.seals import problems
from sfumato.web.accounts.models import Event, Seal

__all__ = ["page"]


@ita
def page(request: HttpRequest) -> HttpResponseBase:
    """The newest events that match; what one looks for travels in the body of the request."""
    form = Filter(request.POST if request.method == "POST" else {})
    events = form.events()
    if request.POST.get("do") == "csv" and form.is_valid():
        Event.record(request.user, "download", "audit trail")
        return as_csv(events)
    context = {
        "here": "audit",
        "form": form,
        "events": events[:SHOWN],
        "count": events.count(),
        "shown": SHOWN,
        "verbs": Event.objects.order_by("verb").values_list("verb", flat=True).distinct(),
        "seal": Seal.objects.order_by("-number").first(),
        "problems": problems() if request.POST.get("do") == "verify" else None,
    }
    return render(request, "accounts/desk/audit.html", context, status=422 if form.errors else 200)
