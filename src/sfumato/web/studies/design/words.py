"""The words by which the builder calls types, roles and languages, and typed words as they are kept."""

from __future__ import annotations

from django.conf.locale import LANG_INFO
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.forms.values import is_plain

__all__ = ["LANGUAGES", "PRIVACY", "TYPES", "language_name", "shown_language", "tidy", "type_name"]

# type: its name, an explanation where the name is not enough, and the sign that stands for it
TYPES = {
    "string": (gettext_noop("Text"), "", "Abc"),
    "integer": (gettext_noop("Whole number"), "", "12"),
    "decimal": (gettext_noop("Decimal number"), "", "1.5"),
    "date": (gettext_noop("Date"), "", "31"),
    "yes_no": (gettext_noop("Yes or no"), "", "Y/N"),
    "one": (gettext_noop("Multiple choice, one answer"), "", "(•)"),
    "many": (gettext_noop("Multiple choice, several answers"), "", "[✓]"),
    "list": (gettext_noop("List"), gettext_noop("such as hospitals"), "▾"),
    "title": (gettext_noop("Title"), gettext_noop("begins a section"), "T"),
    "group": (gettext_noop("Recurring group"), gettext_noop("such as treatments"), "⟳"),
    "calculated": (gettext_noop("Calculated"), gettext_noop("such as age"), "ƒ"),
}
# role: its name, and what it means
PRIVACY = {
    "": (gettext_noop("Plain"), gettext_noop("neither known to others nor sensitive")),
    "identifying": (gettext_noop("Identifying"), gettext_noop("names a person; never published")),
    "known": (gettext_noop("Known to others"), gettext_noop("such as age or town; can single a person out")),
    "sensitive": (gettext_noop("Sensitive"), gettext_noop("must not be learned about a person")),
    "items": (gettext_noop("Items"), gettext_noop("a set of things, such as diagnoses")),
}
LANGUAGES = {code: info["name_local"] for code, info in LANG_INFO.items() if len(code) == 2 and "name_local" in info}


def tidy(text: str, longest: int) -> str:
    """A typed text as it is kept: without control characters and blanks around it, and not longer than this.

    >>> tidy(" a\\x00\\r\\nb ", 10)
    'a\\nb'
    """
    plain = text if is_plain(text) else "".join(filter(is_plain, text))
    return plain.replace("\r\n", "\n").strip()[:longest].strip()


def type_name(name: str) -> str:
    """The name of a type."""
    return _(TYPES[name][0])


def language_name(code: str) -> str:
    """The name of a language in itself."""
    return LANGUAGES.get(code, code)


def shown_language(form: Form) -> str:
    """The language in which questions are shown to the reader: the reader's if the form has it, else its first."""
    reader = (get_language() or "en").split("-")[0]
    return reader if reader in form.languages else form.languages[0]
