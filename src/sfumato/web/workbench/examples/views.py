"""Open the example of a data kind; it is made if the user has none, or if a new one is asked for."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from sfumato.web.accounts.access import signed_in
from sfumato.web.workbench.examples.projects import EXAMPLES, example_of, new_example

__all__ = ["examples"]


@signed_in
def examples(request: HttpRequest) -> HttpResponse:
    """The list of examples; a POST with `example` opens one, with `again` a new one."""
    if request.method == "POST":
        example = request.POST.get("example", "")
        if example not in EXAMPLES:
            raise Http404
        make = new_example if request.POST.get("again") else example_of
        return redirect("project", make(request.user, example).id)
    return render(request, "examples/examples.html", {"examples": EXAMPLES})
