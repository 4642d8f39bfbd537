"""The Greek catalogue: complete, compiled, and with the same placeholders as the English texts."""

from __future__ import annotations

import ast
import gettext
import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils.timesince import timesince
from django.utils.translation import override
from django.utils.translation.template import templatize

import sfumato.web
from docs.messages import CATALOGUES, compiled, messages
from sfumato.web.interface.library_words import library_words, translated
from sfumato.web.interface.templatetags.sfumato import number, words
from sfumato.web.studies.forms.tree import Question
from sfumato.web.studies.forms.values import AnswerRefused, canonical

pytestmark = pytest.mark.usefixtures("home")

_WEB = Path(sfumato.web.__file__).parent
_CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext"}
_IN_TEMPLATE = re.compile(r"""\b(?:gettext|ngettext|_)\(\s*u?("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")
_NOT_TEXT = re.compile(
    r"{% comment.*?endcomment %}|{% blocktranslate.*?endblocktranslate %}|{%.*?%}|{{.*?}}|{#.*?#}"
    r"|<(script|style|code|svg)\b.*?</\1>|<[^>]*>",
    re.DOTALL,
)
_NAMES = {"Sfumato", "UTC", "UTF", "SHA", "CSV", "ZIP", "PNG", "SVG", "PDF", "JPG", "XLSForm"}  # in every language


def _texts_of_templates() -> Iterator[str]:
    for path in _WEB.rglob("*.html"):
        for literal in _IN_TEMPLATE.findall(templatize(path.read_text(encoding="utf-8"))):
            yield ast.literal_eval(literal)


def _texts_of_modules() -> Iterator[str]:
    for path in _WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in _CALLS and node.args:
                text = node.args[0]
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    yield text.value


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_catalogue_is_complete_and_compiled(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.with_suffix(".mo").read_bytes() == compiled(text), "run make messages"
    head, *entries = messages(text)
    assert head.text == ""
    assert len(entries) > 1000
    for entry in entries:
        assert all(entry.translations), entry.text
        assert "fuzzy" not in entry.flags, entry.text
        originals = [entry.text, entry.plural] if entry.plural else [entry.text]
        assert len(entry.translations) == len(originals), entry.text
        for original, translation in zip(originals, entry.translations, strict=True):
            assert sorted(_PLACEHOLDER.findall(translation)) == sorted(_PLACEHOLDER.findall(original)), entry.text


def test_everything_that_pages_say_is_in_the_catalogue() -> None:
    catalogue = {entry.text for path in CATALOGUES for entry in messages(path.read_text(encoding="utf-8"))}
    texts = {*_texts_of_templates(), *_texts_of_modules(), *library_words()}
    assert len(texts) > 1000
    assert texts - catalogue == set(), "run make messages, then translate"


def test_every_text_of_a_template_is_marked() -> None:
    assert _NOT_TEXT.sub(" ", '<p title="a">{% translate "b" %} bare</p>').split() == ["bare"]
    for path in _WEB.rglob("*.html"):
        words = re.findall("[A-Za-z]{3,}", _NOT_TEXT.sub(" ", path.read_text(encoding="utf-8")))
        assert set(words) <= _NAMES, path.name


def test_every_refusal_of_a_study_is_marked() -> None:
    refusals = 0
    for path in (_WEB / "studies").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("Refused") and node.args:
                refusals += 1
                assert not isinstance(node.args[0], ast.Constant | ast.JoinedStr), (path.name, node.lineno)
    assert refusals > 100


def test_a_refused_answer_is_explained_in_the_language_of_the_reader() -> None:
    with override("el"), pytest.raises(AnswerRefused, match="\u03b1\u03ba\u03ad\u03c1\u03b1\u03b9\u03bf"):
        canonical(Question("age", "integer"), "old")


def test_compiled_catalogue_is_read_by_gettext() -> None:
    text = (
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        '#, fuzzy\nmsgid "guess"\nmsgstr "x"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] "\u03b1"\nmsgstr[1] "\u03b2"\n'
    )
    catalogue = gettext.GNUTranslations(io.BytesIO(compiled(text)))
    assert [catalogue.ngettext("a", "b", count) for count in (1, 2)] == ["\u03b1", "\u03b2"]
    assert catalogue.gettext("guess") == "guess"


def test_words_and_numbers_are_in_the_language_of_the_reader() -> None:
    assert (number(1234567), number(0.12345), number(1234.5)) == ("1,234,567", "0.1235", "1,234")
    assert (number(1e-9), number(None), number("a text")) == ("1e-09", "\u2013", "a text")
    with override("el"):
        assert (number(1234567), number(0.12345)) == ("1.234.567", "0,1235")
        assert timesince(date(2026, 1, 1), date(2026, 1, 2)) == "1\xa0\u03b7\u03bc\u03ad\u03c1\u03b1"
        assert translated("k-anonymity") == "k-\u03b1\u03bd\u03c9\u03bd\u03c5\u03bc\u03af\u03b1"
        assert words("suppressed_visits") == translated("suppressed visits") != "suppressed visits"
        assert (translated("a plugin's own title"), translated("")) == ("a plugin's own title", "")


@pytest.mark.django_db
def test_pages_are_greek_after_the_switch(client: Any, project: Any, version: Any) -> None:
    addresses = [reverse("home"), reverse("project", args=[project.id]), reverse("evaluate", args=[project.id])]
    with override("en"):  # the language of a request stays with the thread
        client.post(reverse("language"), {"language": "el", "next": "/"})
        pages = [client.get(address).content.decode() for address in addresses]
    assert all('<html lang="el"' in page for page in pages)
    assert "\u0388\u03c1\u03b3\u03b1" in pages[0]
    fields = re.findall(r'type="(?:number|range)"[^>]* value="([^"]*)"', pages[2])
    assert fields
    assert all(re.fullmatch(r"-?[\d.e-]*", field) for field in fields)
