"""The form "looks right?": what was guessed about a file, and what a person corrected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from sfumato.io.inputs.column_roles import roles_of
from sfumato.io.inputs.role_guesses import ROLES
from sfumato.io.inputs.text_encodings import ENCODINGS

__all__ = ["KINDS", "ReadingForm", "date_orders", "sent_form"]

KINDS = ("table", "transactions", "mixed", "trajectories", "roads")
_ROADS = ("trajectory", "road", "direction", "person", "interval", "time")
_ORDERS = ("", "day-first", "month-first", "text")


@dataclass(frozen=True)
class ReadingForm:
    """What the fields hold.

    options : as `sfumato.read` takes them; those that decide how the file is read.  roles : of the columns of a table.
    """

    name: str
    options: dict[str, Any]
    roles: dict[str, str]

    @classmethod
    def of_job(cls, job: Any) -> ReadingForm:
        """What a job of reading was asked, filled up with what it guessed."""
        arguments, result = job.arguments, job.result or {}
        options = dict(arguments["options"])
        roles = dict(arguments["roles"])
        reading = result.get("reading", {})
        if reading:
            options["kind"] = reading["kind"]
            if "columns" in reading:
                options["columns"] = reading["columns"]
            if "items" in reading:
                options["items"] = reading["items"]
            roles = {column: guess[0] for column, guess in result["guesses"].items()}
        return cls(arguments["title"], options, roles)

    def reads_like(self, other: ReadingForm) -> bool:
        """Whether the file need not be read again: nothing but the roles of columns differs."""
        return _plain(self.options) == _plain(other.options)

    @property
    def order(self) -> str:
        """The order of day and month that was chosen, or that dates are texts."""
        words = str(self.options.get("dates", "")).split(",")
        return next((word for word in words if word in _ORDERS and word), "")

    @property
    def weeks(self) -> bool:
        """Whether dates are generalized to weeks."""
        return "week" in str(self.options.get("dates", ""))

    def columns_of_kind(self) -> list[tuple[str, str]]:
        """The roles of this kind of data that columns play, and the column of each."""
        kind = self.options.get("kind")
        if kind not in ("trajectories", "transactions", "roads"):
            return []
        chosen = self.options.get("columns", {})
        return [(role, chosen.get(role, "")) for role in (_ROADS if kind == "roads" else roles_of(str(kind)))]


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value not in ("", None, {}, [])}


def sent_form(post: Any, before: ReadingForm, names: list[str]) -> ReadingForm:
    """What a browser sent; fields that are not on the page keep what they had."""
    options: dict[str, Any] = {}
    kind = post.get("kind", "")
    if kind in KINDS:
        options["kind"] = kind
    roles = {name: role for number, name in enumerate(names) if (role := post.get(f"role-{number}", "")) in ROLES}
    roles = roles or dict(before.roles)
    if kind == before.options.get("kind") and kind in ("trajectories", "transactions", "roads"):
        sent = {role: post.get(f"column-{role}", "") for role, _column in before.columns_of_kind()}
        options["columns"] = {role: column for role, column in sent.items() if column in names and column}
    elif kind in ("table", "mixed"):
        person = next((column for column, role in roles.items() if role == "person"), None)
        items = next((column for column, role in roles.items() if role == "items"), None)
        if person is not None:
            options["columns"] = {"person": person}
        if kind == "table" and items is not None and before.options.get("kind") == "table":
            options["kind"] = "mixed"
        if options["kind"] == "mixed" and items is not None:
            options["items"] = items
    if post.get("markers") == "named":
        options["missing"] = [text.strip() for text in post.get("missing", "").split(",") if text.strip()]
    words = [word for word in (post.get("order", ""),) if word in _ORDERS and word]
    words += ["week"] if post.get("weeks") else []
    if words:
        options["dates"] = ",".join(words)
    if post.get("encoding", "") in ENCODINGS:
        options["encoding"] = post["encoding"]
    if post.get("sheet", "").strip():
        options["sheet"] = post["sheet"].strip()
    return ReadingForm(post.get("name", "").strip()[:200] or before.name, options, roles)


def date_orders() -> list[tuple[str, str]]:
    """How dates can be read, with their names."""
    names = (_("recognise them"), _("day before month"), _("month before day"), _("leave them as texts"))
    return list(zip(_ORDERS, names, strict=True))
