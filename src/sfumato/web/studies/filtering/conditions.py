"""Conditions on entries, and their JSON.

    {"all": [c, ...]}   {"any": [c, ...]}   {"not": c}
    {"is": question, "test": t}                             an answer passes a test
    {"about": "created" | "author" | "centre" | "state", "test": t}
    {"has": group, "inside": c or null, "at_least": 1}      episodes in each of which everything holds
    {"then": [has, has, ...], "within_days": 30 or null}    each starts on a later day
    {"during": [has, has]}                                  two episodes that share a day
    t: {"one_of": [text, ...]}   {"between": [low, high], "strict": false}   {"contains": text}   {"answered": true}

>>> to_json(from_json({"is": "age", "test": {"between": ["41", ""]}}))
{'is': 'age', 'test': {'between': ['41', '']}}
"""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.filtering.tree import (
    ABOUT,
    EVERYTHING,
    STATES,
    About,
    All,
    Answered,
    AnyOf,
    Between,
    Condition,
    ConditionRefused,
    Contains,
    During,
    Has,
    Is,
    Not,
    OneOf,
    Test,
    Then,
    nodes,
)

__all__ = [
    "ABOUT",
    "EVERYTHING",
    "STATES",
    "About",
    "All",
    "Answered",
    "AnyOf",
    "Between",
    "Condition",
    "ConditionRefused",
    "Contains",
    "During",
    "Has",
    "Is",
    "Not",
    "OneOf",
    "Test",
    "Then",
    "from_json",
    "from_text",
    "nodes",
    "require_text",
    "to_json",
]

DEEPEST, MOST_NODES, MOST_WORDS, LONGEST_TEXT, LONGEST = 8, 100, 2000, 10_000, 200_000


def to_json(condition: Condition) -> dict[str, Any]:
    """The JSON object of a condition, without what is as usual."""
    if isinstance(condition, All):
        return {"all": [to_json(part) for part in condition.parts]}
    if isinstance(condition, AnyOf):
        return {"any": [to_json(part) for part in condition.parts]}
    if isinstance(condition, Not):
        return {"not": to_json(condition.part)}
    if isinstance(condition, Is):
        return {"is": condition.question, "test": _test_json(condition.test)}
    if isinstance(condition, About):
        return {"about": condition.field, "test": _test_json(condition.test)}
    if isinstance(condition, Has):
        inside = None if condition.inside is None else to_json(condition.inside)
        return {"has": condition.group, "inside": inside, "at_least": condition.at_least}
    if isinstance(condition, Then):
        return {"then": [to_json(part) for part in condition.parts], "within_days": condition.within_days}
    return {"during": [to_json(condition.first), to_json(condition.second)]}


def _test_json(test: Test) -> dict[str, Any]:
    if isinstance(test, OneOf):
        return {"one_of": list(test.words)}
    if isinstance(test, Between):
        return {"between": [test.low, test.high], **({"strict": True} if test.strict else {})}
    return {"contains": test.text} if isinstance(test, Contains) else {"answered": True}


def from_json(content: Any) -> Condition:
    """The condition that a JSON object describes; an empty object holds for every entry.

    Raises `ConditionRefused` for anything else, also for a condition that is too large or nested too deeply.
    """
    if content == {} or content is None:
        return EVERYTHING
    condition = _read(content, 1)
    words = 0
    for number, node in enumerate(nodes(condition), 1):
        test = node.test if isinstance(node, Is | About) else None
        words += len(test.words) if isinstance(test, OneOf) else 0
        if number > MOST_NODES:
            raise ConditionRefused(_("wanted a condition of at most %(most)s parts, found more") % {"most": MOST_NODES})
        if words > MOST_WORDS:
            raise ConditionRefused(_("wanted at most %(most)s chosen values in all, found more") % {"most": MOST_WORDS})
    return condition


def from_text(text: str) -> Condition:
    """The condition that a page sent as text of JSON."""
    if len(text) > LONGEST:
        raise ConditionRefused(
            _("wanted a condition of at most %(longest)s characters, found %(count)s")
            % {"longest": LONGEST, "count": len(text)}
        )
    try:
        content = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise ConditionRefused(_("wanted a condition in JSON")) from None
    return from_json(content)


def _read(content: Any, depth: int) -> Condition:
    if depth > DEEPEST:
        raise ConditionRefused(
            _("wanted brackets inside brackets at most %(deepest)s deep, found more") % {"deepest": DEEPEST}
        )
    kind = next((name for name in _READERS if isinstance(content, dict) and name in content), None)
    if kind is None:
        raise ConditionRefused(_("wanted a condition such as all, any, not, is, about, has, then or during"))
    return _READERS[kind](content, depth + 1)


def _list(content: Any, depth: int) -> tuple[Condition, ...]:
    if not isinstance(content, list) or len(content) > MOST_NODES:
        raise ConditionRefused(_("wanted a list of at most %(most)s conditions") % {"most": MOST_NODES})
    return tuple(_read(part, depth) for part in content)


def _episodes(content: Any, depth: int) -> tuple[Has, ...]:
    parts = _list(content, depth)
    if not all(isinstance(part, Has) for part in parts):
        raise ConditionRefused(_("wanted episodes only, joined by then or during"))
    return parts  # type: ignore[return-value]


def _during(content: dict[str, Any], depth: int) -> During:
    parts = _episodes(content["during"], depth)
    if len(parts) != 2:
        raise ConditionRefused(_("wanted two episodes, joined by during"))
    return During(*parts)


def _has(content: dict[str, Any], depth: int) -> Has:
    inside = content.get("inside")
    return Has(
        _key(content["has"]),
        None if inside is None else _read(inside, depth),
        _count(content.get("at_least", 1)),
    )


def _then(content: dict[str, Any], depth: int) -> Then:
    days = content.get("within_days")
    return Then(_episodes(content["then"], depth), None if days is None else _count(days))


_READERS: dict[str, Any] = {
    "all": lambda content, depth: All(_list(content["all"], depth)),
    "any": lambda content, depth: AnyOf(_list(content["any"], depth)),
    "not": lambda content, depth: Not(_read(content["not"], depth)),
    "is": lambda content, _depth: Is(_key(content["is"]), _test(content.get("test"))),
    "about": lambda content, _depth: About(_key(content["about"]), _test(content.get("test"))),
    "has": _has,
    "then": _then,
    "during": _during,
}


def _test(content: Any) -> Test:
    if isinstance(content, dict):
        if isinstance(content.get("one_of"), list):
            return OneOf(tuple(map(require_text, content["one_of"])))
        if isinstance(content.get("between"), list) and len(content["between"]) == 2:
            low, high = map(require_text, content["between"])
            return Between(low, high, content.get("strict") is True)
        if "contains" in content:
            return Contains(require_text(content["contains"]))
        if content.get("answered") is True:
            return Answered()
    raise ConditionRefused(_("wanted a test such as one_of, between, contains or answered"))


def require_text(content: Any) -> str:
    """The text itself; `ConditionRefused` if it is too long or no database can keep it."""
    if not isinstance(content, str) or len(content) > LONGEST_TEXT:
        raise ConditionRefused(_("wanted a text of at most %(longest)s characters") % {"longest": LONGEST_TEXT})
    if "\x00" in content or any("\ud800" <= letter <= "\udfff" for letter in content):
        raise ConditionRefused(_("wanted a text without control characters"))
    return content


def _key(content: Any) -> str:
    text = require_text(content)
    if not text or len(text) > 40:
        raise ConditionRefused(_("wanted the key of a question"))
    return text


def _count(content: Any) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or not 0 < content <= 100_000:
        raise ConditionRefused(_("wanted a whole number from 1 to 100000"))
    return content
