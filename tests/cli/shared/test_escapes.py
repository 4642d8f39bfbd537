"""Control characters of files never reach a terminal as they are."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest

from sfumato.cli.shared.escapes import escaped, escaped_json, escaped_line
from sfumato.cli.shared.render import bars, print_json, say, table, verdict_lines
from sfumato.privacy import KmAnonymity, Verdict

NASTY = "\x00\x07\x08\x1b[31m\x7f\x85\x9b2J\u200b\u202e\u2066\ufeff\ud800"


def is_plain(text: str) -> bool:
    return all(unicodedata.category(sign) not in ("Cc", "Cf", "Cs") or sign in "\n\t" for sign in text)


def test_every_steering_character_is_escaped() -> None:
    for number in [*range(0x3000), *range(0xD800, 0xE000), *range(0xFE00, 0x10000), *range(0xE0000, 0xE0080)]:
        sign = chr(number)
        if unicodedata.category(sign) in ("Cc", "Cs") or unicodedata.bidirectional(sign) in ("RLO", "LRO", "RLI"):
            assert is_plain(escaped(sign)), hex(number)
            assert json.loads(escaped_json(sign)) == sign
    assert escaped("tab\tline\nä漢✓█") == "tab\tline\nä漢✓█"
    assert escaped_line("a\nb\tc") == r"a\nb\tc"


def test_every_printer_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    say(NASTY)
    table(NASTY, [NASTY, "n"], [[NASTY, 1]])
    bars(NASTY, [(NASTY, 1)])
    print_json({NASTY: [NASTY]})
    shown = capsys.readouterr().out
    assert is_plain(shown)
    assert r"\x1b[31m" in shown
    verdict = Verdict(False, "files", witnesses=({"pattern": ["a\n✓ km holds"]},))
    lines = verdict_lines(KmAnonymity(k=2, m=1), verdict)
    assert not any("\n" in line for line in lines)


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_a_table_with_control_characters_in_its_names(run, tmp_path: Path, as_json: tuple[str, ...]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,a\x9bb\u202e\n1,\x9b2J\n2,\x9b2J\n", encoding="utf-8")
    ran = run("describe", path, *as_json)
    assert is_plain(ran.out + ran.err)


def test_a_file_name_with_control_characters(run, tmp_path: Path) -> None:
    for name in (b"\xff\x1b[2J.csv", b"a\nb.csv"):
        path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
        ran = run("describe", path)
        assert ran.code == 2
        assert is_plain(ran.err)
        assert ran.err.count("\n") == 1
