"""Changes of the answers of an entry: what a browser may send, and what each does to the answers.

A change is a JSON object:

    {"question": key, "episode": key or "", "value": text, list of keys, or null}     answer (null empties it)
    {"group": key, "episode": key, "do": "add" | "retire" | "restore"}                an episode

Either may carry "base": the revision that the writer saw when typing.  In a revision each change also has "before".
A retired episode leaves the answers; its revision keeps it, so that it can be restored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.tree import Choice, Form
from sfumato.web.studies.forms.values import AnswerRefused, canonical

__all__ = ["MOST_CHANGES", "MOST_EPISODES", "Malformed", "answer_to_store", "apply", "place_of", "read_changes"]

MOST_CHANGES = 5000
MOST_EPISODES = 2000
_KEY = re.compile(r"[\w.:-]{0,40}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database keeps them
_MOST_KEYS = 2000


class Malformed(ParameterError):
    """A request that no page of ours sends."""


def place_of(change: dict[str, Any]) -> tuple[str, str]:
    """The question (or group) and episode of a change."""
    return change.get("question") or change.get("group", ""), change.get("episode", "")


def read_changes(content: Any) -> list[dict[str, Any]]:
    """The changes of a request; `Malformed` if they are none."""
    if not isinstance(content, list) or len(content) > MOST_CHANGES:
        raise Malformed(f"wanted a list of at most {MOST_CHANGES} changes")
    return [_read(change) for change in content]


def _read(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise Malformed("wanted a change as an object")
    names = {name: content.get(name) or "" for name in ("question", "group", "episode", "do")}
    if not all(isinstance(name, str) and _KEY.fullmatch(name) for name in names.values()):
        raise Malformed("wanted keys of letters and digits")
    change: dict[str, Any] = {"episode": names["episode"]}
    if names["do"]:
        if names["do"] not in ("add", "retire", "restore") or not names["group"] or not names["episode"]:
            raise Malformed("wanted a group, an episode, and add, retire or restore")
        change |= {"group": names["group"], "do": names["do"]}
    else:
        if not names["question"]:
            raise Malformed("wanted a question")
        change |= {"question": names["question"], "value": _read_value(content.get("value"))}
    base = content.get("base", 0)
    if isinstance(base, bool) or not isinstance(base, int) or not 0 <= base < 2**31:
        raise Malformed("wanted the number of a revision")
    return {**change, "base": base} if "base" in content else change


def _read_value(value: Any) -> Stored | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and len(value) <= _MOST_KEYS and all(isinstance(key, str) for key in value):
        return value
    raise Malformed("wanted a text, a list of keys, or null")


def answer_to_store(form: Form, change: dict[str, Any], choices: Sequence[Choice]) -> Stored | None:
    """What is stored for a typed answer; `AnswerRefused` with a sentence if it is not taken."""
    key, typed = change["question"], change.get("value")
    if key not in form.by_key or not form.question(key).is_answered:
        raise AnswerRefused(_("this question is no longer asked"))
    if typed is None:
        return None
    if any(_UNSTORABLE.search(text) for text in ([typed] if isinstance(typed, str) else typed)):
        raise AnswerRefused(_("wanted a text without control characters"))
    return canonical(form.question(key), typed, choices)


def apply(
    form: Form, answers: Answers, change: dict[str, Any], retired: Callable[[str, str], dict[str, Any] | None]
) -> dict[str, Any] | None:
    """Change the answers; returns the change with the value before it, or None if it changes nothing.

    The value of an answer is as it is stored.  retired : the last change that retired an episode, by group and key.
    """
    if "do" in change:
        return _apply_to_episode(form, answers, change, retired)
    key, episode, stored = change["question"], change.get("episode", ""), change["value"]
    group = form.group_of(key)
    values = answers.scope(group.key if group else "", episode)
    if values is None:
        raise AnswerRefused(_("this episode is no longer there"))
    before = values.get(key)
    if stored == before:
        return None
    if stored is None:
        del values[key]
    else:
        values[key] = stored
    return {"question": key, "episode": episode if group else "", "value": stored, "before": before}


def _apply_to_episode(
    form: Form, answers: Answers, change: dict[str, Any], retired: Callable[[str, str], dict[str, Any] | None]
) -> dict[str, Any] | None:
    group, key, order = change["group"], change["episode"], change["do"]
    if group not in form.by_key or form.question(group).type != "group":
        raise AnswerRefused(_("this group is no longer asked"))
    rows = answers.episodes.setdefault(group, [])
    position = next((number for number, (name, _values) in enumerate(rows) if name == key), None)
    if order == "retire":
        if position is None:
            return None
        _name, values = rows.pop(position)
        return {"group": group, "episode": key, "do": order, "value": None, "before": values, "position": position}
    if position is not None:
        return None
    if any(name == key for other, names in answers.episodes.items() if other != group for name, _values in names):
        raise AnswerRefused(_("another group has an episode with this key"))
    most = min(form.question(group).most or MOST_EPISODES, MOST_EPISODES)
    if len(rows) >= most:
        raise AnswerRefused(_("wanted at most %(most)s of these") % {"most": most})
    if order == "add":
        rows.append((key, {}))
        return {"group": group, "episode": key, "do": order, "value": None, "before": None}
    last = retired(group, key)
    if last is None:
        raise AnswerRefused(_("this episode was never there"))
    rows.insert(last["position"], (key, dict(last["before"])))
    return {"group": group, "episode": key, "do": order, "value": last["before"], "before": None}
