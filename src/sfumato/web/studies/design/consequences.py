"""What each kind of change of a question does to its answers, as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sfumato.web.studies.design.counting import Tally
from sfumato.web.studies.design.words import type_name
from sfumato.web.studies.forms.tree import Question

__all__ = [
    "Part",
    "counted",
    "of_branching",
    "of_formula",
    "of_most",
    "of_options",
    "of_place",
    "of_range",
    "of_type",
]

Part = tuple[str, str, int, bool]  # kind, sentence, answers, allowed


def of_place(stored: int) -> Part:
    """A question moves into or out of a group."""
    if not stored:
        return "place", _("Moves into or out of a group. It has no answers."), 0, True
    sentence = ngettext(
        "%(count)d answer is in the way: it belongs to the old place, in or out of a group.",
        "%(count)d answers are in the way: they belong to the old place, in or out of a group.",
        stored,
    )
    return "place", sentence % {"count": stored}, stored, False


def of_type(before: Question, question: Question, stored: int, unreadable: int) -> Part:
    """Its type or its list changes."""
    if before.type == "group" or not question.is_answered or question.type == "calculated":
        unreadable = stored
    names = {"old": type_name(before.type).lower(), "new": type_name(question.type).lower()}
    if before.type == question.type:
        text = _("Its list changes.")
    else:
        text = _("Its type changes from %(old)s to %(new)s.") % names
    if not unreadable:
        return "type", counted(stored, text, lambda: text + " " + _unharmed(stored)), stored, True
    sentence = ngettext(
        "%(count)d answer is in the way: it would be read differently.",
        "%(count)d answers are in the way: they would be read differently.",
        unreadable,
    )
    return "type", text + " " + sentence % {"count": unreadable}, unreadable, False


def of_branching(hidden: int, shown: int) -> Part:
    """It is asked under other conditions."""
    text = [_("It is asked under other conditions.")]
    if hidden:
        sentence = ngettext(
            "%(count)d answer becomes hidden and is kept.", "%(count)d answers become hidden and are kept.", hidden
        )
        text.append(sentence % {"count": hidden})
    if shown:
        sentence = ngettext("%(count)d answer is shown again.", "%(count)d answers are shown again.", shown)
        text.append(sentence % {"count": shown})
    return "branching", " ".join(text), hidden + shown, True


def of_formula(recalculated: int) -> Part:
    """Its formula, or what it reads, changes."""
    sentence = counted(
        recalculated,
        _("Its formula changes."),
        lambda: ngettext(
            "Its formula changes. %(count)d calculated answer changes.",
            "Its formula changes. %(count)d calculated answers change.",
            recalculated,
        ),
    )
    return "formula", sentence, recalculated, True


def of_options(before: Question, question: Question, counts: Tally) -> Iterator[Part]:
    """Its options change."""
    old = {choice.key: choice for choice in before.choices}
    new = {choice.key: choice for choice in question.choices}
    retired = [key for key, choice in new.items() if choice.retired and key in old and not old[key].retired]
    if retired:
        holding = sum(counts.holding[question.key, key] for key in retired)
        sentence = counted(
            holding,
            _("Options are no longer offered."),
            lambda: ngettext(
                "Options are no longer offered. %(count)d answer holds one of them and stays.",
                "Options are no longer offered. %(count)d answers hold one of them and stay.",
                holding,
            ),
        )
        yield "options", sentence, holding, True
    renamed = [key for key in old.keys() & new.keys() if old[key].texts != new[key].texts]
    if renamed:
        holding = sum(counts.holding[question.key, key] for key in renamed)
        sentence = counted(
            holding,
            _("Texts of options change."),
            lambda: ngettext(
                "Texts of options change. %(count)d answer shows the new text.",
                "Texts of options change. %(count)d answers show the new text.",
                holding,
            ),
        )
        yield "options", sentence, holding, True
    if any(key not in old or (old[key].retired and not choice.retired) for key, choice in new.items()):
        yield "options", _("More options are offered."), 0, True
    if not retired and not renamed and [key for key in new if key in old] != list(old):
        yield "options", _("The order of the options changes."), 0, True


def of_range(outside: int) -> Part:
    """Its least or greatest value changes."""
    sentence = counted(
        outside,
        _("Its bounds change."),
        lambda: ngettext(
            "Its bounds change. %(count)d stored answer is outside of them and stays.",
            "Its bounds change. %(count)d stored answers are outside of them and stay.",
            outside,
        ),
    )
    return "range", sentence, outside, True


def of_most(crowded: int) -> Part:
    """The number of episodes of a group changes."""
    sentence = counted(
        crowded,
        _("The number of episodes that it takes changes."),
        lambda: ngettext(
            "The number of episodes that it takes changes. %(count)d entry has more, which stay.",
            "The number of episodes that it takes changes. %(count)d entries have more, which stay.",
            crowded,
        ),
    )
    return "range", sentence, crowded, True


def counted(number: int, none: str, some: Callable[[], str]) -> str:
    """A sentence for no answers, or one with their number."""
    return some() % {"count": number} if number else none


def _unharmed(stored: int) -> str:
    return ngettext("%(count)d answer stays as it is.", "All %(count)d answers stay as they are.", stored)
