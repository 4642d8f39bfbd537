"""The page on which a person withdraws: recorded for own entries, undone by an administrator."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry, Study
from sfumato.web.studies.releasing.withdrawing import appearances_of, take_back, withdraw

__all__ = ["undo", "withdrawal"]


@study_page("participant", grant="delete")
def withdrawal(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """What a withdrawal does, and in which releases the person is; posted, it is recorded."""
    entry = get_object_or_404(Entry.visible_in(study, request.user, request.study_role), id=entry_id)
    entry = entry.double_of or entry if request.study_role != "participant" else entry
    if request.method == "POST":
        withdraw(entry, request.user, request.POST.get("reason", ""))
        messages.success(request, _("The person is out of all later releases."))
        return redirect("study-release-withdrawal", study.id, entry.id)
    return _page(request, study, entry)


@study_page("administrator")
@require_POST
def undo(request: HttpRequest, study: Study, entry_id: Any) -> HttpResponse:
    """Undo a withdrawal that was a mistake, with a reason."""
    entry = get_object_or_404(Entry, study=study, id=entry_id, deleted=None)
    reason = request.POST.get("reason", "")
    if not reason.strip():
        return _page(request, study, entry, error=_("Say why: the reason stays recorded."), status=422)
    take_back(entry, request.user, reason)
    messages.success(request, _("The person takes part again."))
    return redirect("study-release-withdrawal", study.id, entry.id)


def _page(request: HttpRequest, study: Study, entry: Entry, *, error: str = "", status: int = 200) -> HttpResponse:
    sees_all = request.study_role != "participant"
    context = {
        "entry": entry,
        "appearances": appearances_of(entry) if sees_all else [],
        "sees_all": sees_all,
        "events": Event.objects.filter(
            project_id=study.id, object=f"entry {entry.id}", verb__in=("withdraw person", "undo withdrawal")
        ),
        "error": error,
    }
    return render(request, "releasing/withdrawal.html", context, status=status)
