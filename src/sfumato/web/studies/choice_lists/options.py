"""Changes of a list: add, rename, move, retire and restore options; copy and delete lists."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.choice_lists.lines import Line, LinesRefused, require_tree
from sfumato.web.studies.choice_lists.using import studies_with
from sfumato.web.studies.models import ChoiceList, Option

__all__ = [
    "ListRefused",
    "add_options",
    "change_option",
    "copy_list",
    "delete_list",
    "list_from_lines",
    "move_option",
    "new_list",
    "rename",
    "retire_option",
]


class ListRefused(ParameterError):
    """A change of a list that cannot be made; the sentence is shown where it was asked for."""


def new_list(user: Any, name: str) -> ChoiceList:
    """An empty list of a user."""
    wanted = _require_name(user, name, None)
    with transaction.atomic():
        created = ChoiceList.objects.create(owner=user, name=wanted)
        Event.record(user, "create list", f"list {created.id}")
    return created


def list_from_lines(user: Any, name: str, lines: list[Line], language: str) -> ChoiceList:
    """A list of a user with these options; refused without any."""
    if not lines:
        raise ListRefused(_("Wanted at least one option, on a line of its own."))
    with transaction.atomic():
        created = new_list(user, name)
        add_options(created, user, lines, language)
    return created


def rename(choices: ChoiceList, user: Any, name: str, *, shared: bool) -> None:
    """Give a list another name; share it with all study administrators, or not."""
    choices.name, choices.shared = _require_name(user, name, choices), shared
    with transaction.atomic():
        choices.save(update_fields=["name", "shared"])
        Event.record(user, "change list", f"list {choices.id}")


def add_options(choices: ChoiceList, user: Any, lines: list[Line], language: str) -> tuple[int, int]:
    """Add options; one whose text the list has gets the groups of the line.  Returns how many were added, changed."""
    with transaction.atomic():
        options = _locked(choices)
        known = {_text(option, language).casefold(): option for option in options}
        added, changed = list[Option](), list[Option]()
        for line in lines:
            option = known.get(line.text.casefold())
            if option is None:
                option = Option(choice_list=choices, key=f"c{secrets.token_hex(5)}", texts={language: line.text})
                added.append(option)
            elif not line.ancestors or tuple(option.ancestors) == line.ancestors:
                continue
            else:
                changed.append(option)
            option.ancestors = list(line.ancestors)
        _require_tree([*options, *added], language)
        for position, option in enumerate(added, max((option.position for option in options), default=-1) + 1):
            option.position = position
        Option.objects.bulk_create(added, batch_size=500)
        Option.objects.bulk_update(changed, ["ancestors"], batch_size=500)
        Event.record(user, "add options", f"list {choices.id}")
    return len(added), len(changed)


def change_option(
    choices: ChoiceList, user: Any, key: str, *, texts: dict[str, str], ancestors: Iterable[str], language: str
) -> None:
    """Give an option other texts and groups; its key stays, so no answer changes."""
    wanted = {name: text for name, text in texts.items() if text}
    if not wanted:
        raise ListRefused(_("Wanted a text for the option."))
    with transaction.atomic():
        options = _locked(choices)
        option = _option(options, key)
        if any(
            _text(other, language).casefold() == wanted.get(language, "").casefold()
            for other in options
            if other is not option and other.retired is None
        ):
            raise ListRefused(_("Wanted a text that no other option has."))
        option.texts, option.ancestors = wanted, list(ancestors)
        _require_tree(options, language)
        option.save(update_fields=["texts", "ancestors"])
        Event.record(user, "change option", f"list {choices.id}")


def retire_option(choices: ChoiceList, user: Any, key: str, *, retired: bool) -> None:
    """Offer an option no longer, or again; answers that hold it stay."""
    with transaction.atomic():
        option = _option(_locked(choices), key)
        option.retired = timezone.now() if retired else None
        option.save(update_fields=["retired"])
        Event.record(user, "retire option" if retired else "restore option", f"list {choices.id}")


def move_option(choices: ChoiceList, user: Any, key: str, step: int) -> None:
    """Move an option up (-1) or down (1) in the order in which options are offered."""
    with transaction.atomic():
        options = _locked(choices)
        place = options.index(_option(options, key))
        other = place + step
        if 0 <= other < len(options):
            options[place], options[other] = options[other], options[place]
        moved = [option for position, option in enumerate(options) if option.position != position]
        for position, option in enumerate(options):
            option.position = position
        Option.objects.bulk_update(moved, ["position"], batch_size=500)
        Event.record(user, "move option", f"list {choices.id}")


def copy_list(choices: ChoiceList, user: Any) -> ChoiceList:
    """A copy of an own or shared list, under a name that the user does not have yet; options keep their keys."""
    with transaction.atomic():
        taken = set(ChoiceList.objects.filter(owner=user).values_list("name", flat=True))
        names = [choices.name, *(f"{choices.name[:190]} {number}" for number in range(2, len(taken) + 3))]
        created = ChoiceList.objects.create(owner=user, name=next(name for name in names if name not in taken))
        rows = [
            Option(
                choice_list=created,
                key=option.key,
                texts=option.texts,
                ancestors=option.ancestors,
                position=option.position,
            )
            for option in choices.options.filter(retired=None)
        ]
        Option.objects.bulk_create(rows, batch_size=500)
        Event.record(user, "copy list", f"list {created.id}")
    return created


def delete_list(choices: ChoiceList, user: Any) -> None:
    """Delete a list that no form uses or used."""
    with transaction.atomic():
        _locked(choices)
        if count := len(studies_with(choices)):
            sentence = ngettext(
                "%(count)d study uses this list, so it cannot be deleted.",
                "%(count)d studies use this list, so it cannot be deleted.",
                count,
            )
            raise ListRefused(sentence % {"count": count})
        Event.record(user, "delete list", f"list {choices.id}")
        choices.delete()


def _require_name(user: Any, name: str, choices: ChoiceList | None) -> str:
    wanted = " ".join(name.split())[:200]
    if not wanted:
        raise ListRefused(_("Wanted a name for the list."))
    others = ChoiceList.objects.filter(owner=user, name=wanted)
    if (others if choices is None else others.exclude(pk=choices.pk)).exists():
        raise ListRefused(_("You have a list with this name already."))
    return wanted


def _locked(choices: ChoiceList) -> list[Option]:
    ChoiceList.objects.select_for_update().get(pk=choices.pk)
    return list(choices.options.all())


def _option(options: list[Option], key: str) -> Option:
    option = next((option for option in options if option.key == key), None)
    if option is None:
        raise ListRefused(_("This option is no longer in the list."))
    return option


def _text(option: Option, language: str) -> str:
    return str(option.texts.get(language) or next(iter(option.texts.values()), option.key))


def _require_tree(options: list[Option], language: str) -> None:
    try:
        require_tree(Line(_text(option, language), tuple(option.ancestors)) for option in options)
    except LinesRefused as refusal:
        raise ListRefused(str(refusal)) from None
