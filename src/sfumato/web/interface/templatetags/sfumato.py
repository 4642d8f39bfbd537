"""Template tags that every template knows: charts, numbers, the state of a job, the command that repeats a page."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django import template
from django.utils import formats
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from sfumato.web.interface import library_words

register = template.Library()

__all__ = ["chart", "get", "gigabytes", "job_state", "number", "pairs", "shown_name", "translated", "words"]


@register.filter
def number(value: Any) -> str:
    """A number in groups, as the language of the reader writes it; a share to four digits."""
    if value is None or value == "":
        return "\u2013"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return formats.number_format(Decimal(text), force_grouping=True) if text.strip("-.0123456789") == "" else text


@register.filter
def words(value: Any) -> str:
    """A name such as suppressed_visits as words, in the language of the reader where they are known."""
    return library_words.translated(str(value).replace("_", " ").replace("-", " "))


@register.filter
def translated(value: Any) -> str:
    """A word of the library, such as the title of a method, in the language of the reader."""
    return library_words.translated(value)


@register.filter
def shown_name(project: Any) -> str:
    """The name of a project; that of an example in the language of the reader."""
    return library_words.translated(project.name) if project.example else str(project.name)


@register.filter
def gigabytes(value: int | None) -> str:
    """A number of bytes as whole gigabytes; nothing for none."""
    return "" if value is None else str(value // 2**30)


@register.filter
def get(mapping: Any, key: Any) -> Any:
    """The value of a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None


@register.filter
def pairs(mapping: Any) -> list[tuple[Any, Any]]:
    """The keys and values; in a template, `mapping.items` would be the value of the key "items" where there is one."""
    return list(dict.items(mapping)) if isinstance(mapping, dict) else []


@register.simple_tag
def chart(spec: dict[str, Any], label: str = "") -> SafeString:
    """A chart: its specification in JSON, which the script of the page draws; `label` says what it shows."""
    content = json.dumps(spec).replace("<", "\\u003c").replace("&", "\\u0026")
    return mark_safe(
        f'<div class="chart" role="img" aria-label="{escape(label)}" data-chart>'
        f'<script type="application/json">{content}</script></div>'
    )


@register.inclusion_tag("jobs/state.html", takes_context=True)
def job_state(context: dict[str, Any], job: Any, reload: bool = True) -> dict[str, Any]:
    """The bar of a job, which follows it while it runs; `reload` loads the page anew when it has ended."""
    return {
        "job": job,
        "reload": reload,
        "may_cancel": context.get("role") != "viewer",
        "csrf_token": context.get("csrf_token"),
        "request": context.get("request"),
    }
