"""Write the rows of a spreadsheet as entries: all together or none, each row once however often it is sent."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.web.accounts.models import Event
from sfumato.web.studies.entry.indexing import index_entries, question_rows
from sfumato.web.studies.entry.saving import EntryRefused
from sfumato.web.studies.exporting.matching import CheckedRows
from sfumato.web.studies.forms.answers import Stored
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Centre, Entry, Revision, Study

__all__ = ["import_rows", "new_rows"]

_AT_ONCE = 500
REASON = "imported"


def _client_keys(study: Study, user: Any, checked: CheckedRows) -> dict[int, str]:
    """For each good row a key that is the same whenever the same person sends the same row again.

    Equal rows of a file are different people; each has a number.
    """
    seen: Counter[str] = Counter()
    keys: dict[int, str] = {}
    for number, answers in checked.answers.items():
        content = json.dumps([answers, checked.centres.get(number, "")], sort_keys=True, ensure_ascii=False)
        seen[content] += 1
        keys[number] = _hash(f"{study.pk} {user.pk} {seen[content]} {content}")
    return keys


def new_rows(study: Study, user: Any, checked: CheckedRows) -> dict[int, str]:
    """The keys of good rows that were not imported before, or whose entry was deleted since, by the row's number."""
    own = Entry.objects.filter(study=study, author=user)
    new: dict[int, str] = {}
    waiting = _client_keys(study, user, checked)
    while waiting:
        known: dict[str, Any] = {}
        wanted = list(waiting.values())
        for start in range(0, len(wanted), _AT_ONCE):
            part = own.filter(client_key__in=wanted[start : start + _AT_ONCE])
            known |= dict(part.values_list("client_key", "deleted"))
        new |= {number: key for number, key in waiting.items() if key not in known}
        # the entry may be restored, and keeps its key
        waiting = {number: _hash(key) for number, key in waiting.items() if known.get(key) is not None}
    return dict(sorted(new.items()))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def import_rows(
    study: Study, user: Any, form: Form, checked: CheckedRows, centre: Centre | None, *, finish: bool = False
) -> int:
    """Write the good rows that are new, in one transaction; their number.

    finish : whether entries that lack no required answer are complete, as if somebody had finished each.
    """
    with transaction.atomic():
        current = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        version = current.form_version
        if current.state != Study.OPEN or version is None:
            raise EntryRefused(_("This study takes no answers at the moment."))
        last = Entry.objects.filter(study=study, author=user).aggregate(last=Max("number"))["last"] or 0
        centres = {str(row.pk): row for row in current.centres.all()}
        entries, revisions, now = [], [], timezone.now()
        for number, key in new_rows(study, user, checked).items():
            content, patch = _content(checked.answers[number])
            last += 1
            entry = Entry(
                study=study,
                author=user,
                centre=centres.get(checked.centres.get(number, ""), centre),
                form_version=version,
                answers=content,
                revision=1,
                client_key=key,
                number=last,
                created=now,
                changed=now,
            )
            entries.append(entry)
            revisions.append(Revision(entry=entry, number=1, patch=patch, by=user, at=now, reason=REASON))
        Entry.objects.bulk_create(entries, batch_size=_AT_ONCE)
        Revision.objects.bulk_create(revisions, batch_size=_AT_ONCE)
        rows = question_rows(study)
        for start in range(0, len(entries), _AT_ONCE):
            part = entries[start : start + _AT_ONCE]
            index_entries(part, form, rows)
            if finish:
                Entry.objects.filter(pk__in=[row.pk for row in part], missing=0).update(complete=now)
        Event.record(user, "import", f"{len(entries)} entries of study {study.id}", project=study)
    return len(entries)


def _content(answers: Mapping[str, Stored]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Answers as an entry keeps them, and the changes that made them."""
    values: dict[str, Stored] = {}
    episodes: dict[str, dict[int, dict[str, Stored]]] = {}
    for target, stored in answers.items():
        group, _sign, rest = target.partition(":")
        if not rest:
            values[target] = stored
            continue
        number, _sign, key = rest.partition(":")
        episodes.setdefault(group, {}).setdefault(int(number), {})[key] = stored
    patch: list[dict[str, Any]] = [_change(key, "", stored) for key, stored in values.items()]
    rows: dict[str, list[dict[str, Any]]] = {}
    for group, numbered in episodes.items():
        for place in sorted(numbered):
            name = f"row{place}"
            rows.setdefault(group, []).append({"key": name, "values": numbered[place]})
            patch.append({"group": group, "episode": name, "do": "add", "value": None, "before": None})
            patch += [_change(key, name, stored) for key, stored in numbered[place].items()]
    return {"values": values, "episodes": rows}, patch


def _change(question: str, episode: str, stored: Stored) -> dict[str, Any]:
    return {"question": question, "episode": episode, "value": stored, "before": None}
