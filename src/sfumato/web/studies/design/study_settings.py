"""The settings of a study: name, languages, target size, offline and double entry."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design import words
from sfumato.web.studies.design.drafts import DraftConflict, keep_draft, require_base
from sfumato.web.studies.design.wizard import strip_of
from sfumato.web.studies.models import Study

__all__ = ["study_settings"]

_LARGEST_TARGET = 100_000_000
_MOST_LANGUAGES = 12


@study_page("inspector")
def study_settings(request: HttpRequest, study: Study) -> HttpResponse:
    """The settings; posted, they are saved, or explained beside their field."""
    errors: dict[str, str] = {}
    if request.method == "POST":
        values = _values(request, errors)
        if not errors:
            try:
                _save(study, request.user, request.POST.get("base", ""), values)
            except DraftConflict as error:
                study.refresh_from_db()
                errors["base"] = str(error)
        if not errors:
            messages.success(request, _("Saved."))
            step = "study-design-template" if study.form_version is None else "study-design-settings"
            return redirect(step, study.id)
    posted = request.POST if errors else None
    context = {"strip": strip_of(study, "name"), "errors": errors, **_shown(study, posted)}
    return render(request, "design/settings.html", context, status=422 if errors else 200)


def _values(request: HttpRequest, errors: dict[str, str]) -> dict[str, Any]:
    post = request.POST
    name, target = words.tidy(post.get("name", ""), 1000), post.get("target", "").strip()
    if not name or len(name) > 200:
        errors["name"] = _("Wanted a name of 1 to 200 characters.")
    if target and not (target.isdecimal() and len(target) <= 9 and 1 <= int(target) <= _LARGEST_TARGET):
        errors["target"] = _("Wanted a whole number such as 500, or nothing.")
    codes = [post.get("first", ""), *post.getlist("other"), post.get("new", "")]
    languages = [code for code in dict.fromkeys(codes) if code in words.LANGUAGES]
    if post.get("first", "") not in words.LANGUAGES or len(languages) > _MOST_LANGUAGES:
        errors["languages"] = _("Wanted a first language, and at most 12 languages.")
    return {
        "name": name,
        "target": int(target) if target and not errors else None,
        "languages": languages,
        "offline": "offline" in post,
        "double": "double" in post,
    }


def _save(study: Study, user: Any, base: str, values: dict[str, Any]) -> None:
    with transaction.atomic():
        current = require_base(study, base)
        keep_draft(current, {**current.draft, "languages": values["languages"]})
        for name, value in values.items():
            setattr(current, name, value)
        current.save(update_fields=list(values))
        Event.record(user, "change", "settings", project=current)
    study.refresh_from_db()


def _shown(study: Study, post: Any) -> dict[str, Any]:
    """The fields of the page: as posted, or as the study has them."""
    first, *others = study.languages or ["en"]
    values: dict[str, Any] = {
        "name": study.name,
        "target": "" if study.target is None else study.target,
        "offline": study.offline,
        "double": study.double,
        "first": first,
    }
    if post is not None:
        values |= {name: post.get(name, "") for name in ("name", "target", "first", "new")}
        values |= {"offline": "offline" in post, "double": "double" in post}
        others = [code for code in post.getlist("other") if code in words.LANGUAGES]
    return {
        "values": values,
        "others": [(code, words.language_name(code)) for code in others],
        "all_languages": sorted(words.LANGUAGES.items(), key=lambda pair: pair[1].casefold()),
        "base": study.draft_revision,
    }
