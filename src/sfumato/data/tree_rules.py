"""The rules by which trees are computed from private data, and the mark that such a tree carries in its file.

A file has no place for a rule, and other programs read it.  So the mark is part of the root's name: it survives copies,
other programs show it, and every reader here takes it off again.
"""

from __future__ import annotations

import re

__all__ = ["TREE_RULE", "edited_rule", "marked_root", "unmarked_root"]

_NUMBER = r"[1-9]\d{0,8}"
_FORMS = (
    "time-slots",
    "around-movement",
    rf"(place-taxonomy|spatial|balanced|frequency|prefix):{_NUMBER}",
    rf"(intervals|quantiles):{_NUMBER}:{_NUMBER}",
    rf"width:\d{{1,15}}(\.\d{{1,15}})?:{_NUMBER}",
    r"dates:(month|week)",
)
TREE_RULE = rf"(edited )?({'|'.join(_FORMS)})"
"""The form of the rules; ``edited`` says that a person changed the tree afterwards."""

_MARK = re.compile(rf"(?P<root>.*) \(private: (?P<rule>{TREE_RULE})\)", re.DOTALL)


def marked_root(root: str, rule: str) -> str:
    """The name of the root in a file.

    >>> marked_root("*", "quantiles:16:4"), marked_root("*", "")
    ('* (private: quantiles:16:4)', '*')
    """
    return f"{root} (private: {rule})" if rule else root


def unmarked_root(name: str) -> tuple[str, str]:
    """The name of the root and the rule of the tree, which is empty for a tree that was given.

    >>> unmarked_root("* (private: quantiles:16:4)"), unmarked_root("Food (all)")
    (('*', 'quantiles:16:4'), ('Food (all)', ''))
    """
    match = _MARK.fullmatch(name)
    return (name, "") if match is None else (match["root"], match["rule"])


def edited_rule(rule: str) -> str:
    """The rule of a tree that a person changed; a tree that was given has none, changed or not."""
    return rule if not rule or rule.startswith("edited ") else f"edited {rule}"
