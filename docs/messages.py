"""The catalogues of the languages of the workbench: what its pages say, in Greek.

``python -m docs.messages`` collects the texts of templates, views and the library's catalogue (it needs the gettext
tools) and compiles each catalogue; translate what is empty in django.po, then run it again.
"""

from __future__ import annotations

import ast
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["CATALOGUES", "Message", "compiled", "messages"]

WEB = Path(__file__).parents[1] / "src" / "sfumato" / "web"
CATALOGUES = sorted((WEB / "interface" / "locale").glob("*/LC_MESSAGES/django.po"))
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d+\])? )?(".*")$')
_MAGIC = 0x950412DE  # of a compiled catalogue


@dataclass
class Message:
    """A text and its translations, one for each number it can be about."""

    flags: str = ""
    context: str = ""
    text: str = ""
    plural: str = ""
    translations: list[str] = field(default_factory=list)

    @property
    def key(self) -> bytes:
        """What a compiled catalogue looks it up by."""
        context = f"{self.context}\x04" if self.context else ""
        return f"{context}{self.text}".encode() + (b"\0" + self.plural.encode() if self.plural else b"")


def messages(text: str) -> Iterator[Message]:
    """The messages of a catalogue; the first one is its head."""
    for block in re.split(r"\n\s*\n", text):
        message, parts, where = Message(), {"msgctxt": "", "msgid": "", "msgid_plural": ""}, ""
        for line in block.splitlines():
            if line.startswith("#,"):
                message.flags += line[2:]
            match = _LINE.match(line)
            if match is None:
                continue
            if match[1] == "msgstr":
                message.translations.append("")
            where = match[1] or where
            if where == "msgstr":
                message.translations[-1] += ast.literal_eval(match[2])
            else:
                parts[where] += ast.literal_eval(match[2])
        message.context, message.text, message.plural = parts.values()
        if message.translations:
            yield message


def compiled(text: str) -> bytes:
    """The compiled form of a catalogue: its translated messages in the order of their keys."""
    entries = sorted(
        (message.key, b"\0".join(part.encode() for part in message.translations))
        for message in messages(text)
        if all(message.translations) and "fuzzy" not in message.flags
    )
    start = 28 + 16 * len(entries)  # after the head and both tables
    tables: list[list[int]] = []
    body = b""
    for side in (0, 1):
        table = []
        for entry in entries:
            table += [len(entry[side]), start + len(body)]
            body += entry[side] + b"\0"
        tables.append(table)
    head = [_MAGIC, 0, len(entries), 28, 28 + 8 * len(entries), 0, 0]
    numbers = [*head, *tables[0], *tables[1]]
    return struct.pack(f"<{len(numbers)}I", *numbers) + body


def _collect() -> None:
    """Write the texts of the pages and of the library into each catalogue, with the gettext tools."""
    import django
    from django.core.management import call_command

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sfumato.web.settings")
    os.environ.setdefault("SFUMATO_SECRET", "only for this command")
    django.setup()
    from sfumato.web.interface.library_words import library_words

    os.chdir(WEB)
    words = Path("words_of_the_library.py")
    words.write_text("".join(f"gettext({word!r})\n" for word in library_words()), encoding="utf-8")
    try:
        call_command("makemessages", locale=[path.parts[-3] for path in CATALOGUES], no_location=True, no_obsolete=True)
    finally:
        words.unlink()


if __name__ == "__main__":
    _collect()
    for catalogue in CATALOGUES:
        text = re.sub(r'(?m)^"POT-Creation-Date: .*\n', "", catalogue.read_text(encoding="utf-8"))
        catalogue.write_text(text, encoding="utf-8")
        catalogue.with_suffix(".mo").write_bytes(compiled(text))
        empty = sum(not all(message.translations) for message in messages(text))
        fuzzy = sum("fuzzy" in message.flags for message in messages(text))
        print(f"{catalogue.parts[-3]}: {empty} without a translation, {fuzzy} to be checked")  # noqa: T201
