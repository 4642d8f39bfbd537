"""Formulas as people write them: questions by their texts in braces, kept by their keys."""

from __future__ import annotations

import re
from collections import Counter

from sfumato.web.studies.forms.tree import Form

__all__ = ["formula_in_keys", "formula_in_words"]

_NAME = re.compile(r"\{([^{}]*)\}")


def formula_in_words(form: Form, formula: str, language: str) -> str:
    """The formula with the texts of questions in place of their keys; a text that two questions share stays a key.

    >>> from sfumato.web.studies.forms.tree import Question
    >>> form = Form(("en",), (Question("q1", "date", {"en": "Born"}), Question("q2", "date", {"en": "Admitted"})))
    >>> formula_in_words(form, "years({q1}, {q2})", "en")
    'years({Born}, {Admitted})'
    >>> formula_in_keys(form, "years({Born}, {Admitted})", "en")
    'years({q1}, {q2})'
    """
    texts = {key: text for text, key in _keys(form, language).items()}
    return _NAME.sub(lambda name: "{" + texts.get(name[1].strip(), name[1]) + "}", formula)


def formula_in_keys(form: Form, formula: str, language: str) -> str:
    """The formula with the keys of questions in place of their texts; what is no text of a question stays."""
    keys = _keys(form, language)
    return _NAME.sub(lambda name: "{" + keys.get(name[1].strip(), name[1]) + "}", formula)


def _keys(form: Form, language: str) -> dict[str, str]:
    """The keys of questions by their texts, where these tell them apart and are no key."""
    texts = [(question.text(language).strip(), question.key) for question, _group in form.walk()]
    times = Counter(text for text, _key in texts)
    usable = {text: key for text, key in texts if times[text] == 1 and not set(text) & set("{}")}
    return {text: key for text, key in usable.items() if text == key or text not in form.by_key}
