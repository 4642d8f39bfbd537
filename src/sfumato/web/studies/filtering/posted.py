"""A condition that a page posts: as the fields of its editor, or as JSON.

The fields of a part are named after its path, such as "kind:r-0"; a button named "do" changes the tree:

    add:r-0            with the field "what:r-0": is:KEY, about:FIELD, has:GROUP or group
    add:r:is:KEY       the same in one
    remove:r-0
    then:r-0           another episode after the one at this path, or during it: during:r-0
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from sfumato.web.studies.filtering.checking import tests_of
from sfumato.web.studies.filtering.conditions import DEEPEST, LONGEST, MOST_NODES, from_text, require_text
from sfumato.web.studies.filtering.drafts import ROOT, Draft, condition_of, draft_of, walk
from sfumato.web.studies.filtering.tree import ABOUT, Between, Condition, ConditionRefused
from sfumato.web.studies.forms.tree import Form

__all__ = ["posted_condition", "posted_draft"]

_KINDS = ("all", "any", "is", "about", "has", "then", "during")
_LONGEST_FIELD = 400


def posted_condition(post: Any, form: Form) -> Condition:
    """The condition that a page posts, from the fields of the editor or from the field "condition" in JSON."""
    return condition_of(posted_draft(post, form), form)


def posted_draft(post: Any, form: Form) -> Draft:
    """The draft that a page posts, after the change that a button of the editor asks for."""
    if f"kind:{ROOT}" not in post:
        return draft_of(from_text(post.get("condition", "")))
    draft = _read(post, ROOT, 1)
    if draft.kind not in ("all", "any"):
        draft = Draft("all", parts=[draft])
    if post.get("do"):
        _change(draft, post["do"][:_LONGEST_FIELD], post, form)
    if sum(1 for _part in walk(draft)) > MOST_NODES:
        raise ConditionRefused(_("wanted a condition of at most %(most)s parts, found more") % {"most": MOST_NODES})
    return draft


def _read(post: Any, path: str, depth: int) -> Draft:
    if depth > 2 * DEEPEST:
        raise ConditionRefused(
            _("wanted brackets inside brackets at most %(deepest)s deep, found more") % {"deepest": DEEPEST}
        )

    def typed(name: str) -> str:
        return require_text(post.get(f"{name}:{path}", "")[:_LONGEST_FIELD])

    kind = typed("kind")
    if kind not in _KINDS:
        raise ConditionRefused(_("wanted a condition such as all, any, not, is, about, has, then or during"))
    draft = Draft(
        kind,
        typed("key")[:40],
        typed("not") == "yes",
        typed("test"),
        [require_text(word[:LONGEST]) for word in post.getlist(f"value:{path}")],
        typed("low").strip(),
        typed("high").strip(),
        typed("strict") == "yes",
        typed("text"),
        typed("at_least").strip() or "1",
        typed("within").strip(),
        typed("search").strip(),
    )
    number = 0
    while f"kind:{path}-{number}" in post and number < MOST_NODES:
        draft.parts.append(_read(post, f"{path}-{number}", depth + 1))
        number += 1
    return draft


def _change(draft: Draft, do: str, post: Any, form: Form) -> None:
    verb, _colon, rest = do.partition(":")
    path, _colon, what = rest.partition(":")
    places = dict(walk(draft))
    if path not in places:
        return
    part, outer = places[path], places.get(path.rpartition("-")[0])
    if verb == "add" and part.kind in ("all", "any"):
        new = _new(what or post.get(f"what:{path}", ""), form)
        part.parts += [] if new is None else [new]
    elif outer is not None and verb == "remove":
        outer.parts = [other for other in outer.parts if other is not part]
        if outer.kind in ("then", "during") and len(outer.parts) == 1:
            single = outer.parts[0]
            outer.__dict__.update(single.__dict__)
    elif outer is not None and verb in ("then", "during"):
        _join(outer, part, verb)


def _join(outer: Draft, part: Draft, verb: str) -> None:
    """Put another episode of the same group after, or during, the one that is there."""
    if part.kind == "has":
        part.at_least = "1"
        single, negated = Draft(**{**part.__dict__, "negated": False}), part.negated
        joined = Draft(verb, negated=negated, parts=[single, Draft("has", part.key, parts=[Draft("all")])])
        outer.parts = [joined if other is part else other for other in outer.parts]
    elif part.kind == "then" and verb == "then":
        part.parts.append(Draft("has", part.parts[-1].key, parts=[Draft("all")]))


def _new(what: str, form: Form) -> Draft | None:
    kind, _colon, key = what.partition(":")
    if kind == "group":
        return Draft("any")
    if kind == "has" and key in form.by_key and form.question(key).type == "group":
        return Draft("has", key, parts=[Draft("all")])
    if kind == "about" and key in ABOUT:
        return Draft("about", key, test="between" if key == "created" else "one_of")
    if kind == "is" and key in form.by_key and form.question(key).is_answered:
        tests = tests_of(form.question(key))
        return Draft("is", key, test="between" if Between in tests else "one_of")
    return None
