"""Containerfile, compose.yaml and their scripts: checked without a container engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from building.container_check import ROOT, problems_of_command, problems_of_compose, problems_of_containerfile

CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8")
COMPOSE = (ROOT / "compose.yaml").read_text("utf-8")
PAGE = (ROOT / "docs" / "deployment.md").read_text("utf-8")


def test_both_files_are_sound() -> None:
    assert list(problems_of_containerfile(CONTAINERFILE)) == []
    assert list(problems_of_compose(COMPOSE, PAGE)) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("COPY src src", "COPY source src", "COPY: source does not exist"),
        ("USER sfumato", "USER root", "the image runs as root; name another user with USER"),
        ("HEALTHCHECK", "ONBUILD", "there is no HEALTHCHECK"),
        ('"--team", "--bind"', '"--teams", "--bind"', "sfumato serve --teams"),
    ],
)
def test_mistakes_in_the_containerfile_are_found(old: str, new: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in problems_of_containerfile(CONTAINERFILE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('["worker"]', '["workers"]', "worker: sfumato has no command ['workers']"),
        ("SFUMATO_THREADS: $", "SFUMATO_NEW: $", "the setting SFUMATO_NEW is not documented"),
        (
            "POSTGRES_USER: sfumato",
            "POSTGRES_PASSWORD: x",
            "database: POSTGRES_PASSWORD is written down; read it from a file",
        ),
        ("      migrate:\n", "      migration:\n", "web depends on migration, which is no service"),
        ("secrets: [database_password]", "secrets: [other]", "database uses the secret other, which is not declared"),
        ('"files:/srv', '"data:/srv', "web uses the volume data, which is not declared"),
    ],
)
def test_mistakes_in_the_compose_file_are_found(old: str, new: str, problem: str) -> None:
    assert problem in list(problems_of_compose(COMPOSE.replace(old, new), PAGE))


def test_options_need_their_values() -> None:
    assert list(problems_of_command(["serve", "--team", "--processes", "many"]))
    assert not list(problems_of_command(["backup", "file.tar"]))


def test_every_setting_of_the_server_is_documented_once() -> None:
    """The settings that the server reads are in the first column of the table, each in one row."""
    text = (ROOT / "src" / "sfumato" / "web" / "settings.py").read_text("utf-8")
    read = set(re.findall(r'environ(?:\.get\(|\[|, )"(SFUMATO_\w+)"', text)) - {"SFUMATO_TEAM"}
    assert len(read) > 10
    table = PAGE.partition("## Settings")[2].partition("\n## ")[0]
    cells = [line.split("|")[1].split(", ") for line in table.splitlines() if line.startswith("| `")]
    documented = [name.strip(" `") for cell in cells for name in cell]
    written_out = ["SFUMATO_EMAIL" + name if name.startswith("_") else name for name in documented]
    assert len(written_out) == len(set(written_out))
    assert read <= set(written_out)


@pytest.mark.skipif(sys.platform == "win32", reason="the container runs Linux")
def test_secrets_are_read_from_files(tmp_path: Path) -> None:
    """The entry point hands them to sfumato, here one that prints what it got."""
    program = tmp_path / "sfumato"
    program.write_text('#!/bin/sh\necho "$SFUMATO_SECRET|$SFUMATO_DATABASE_URL|$*"\n')
    program.chmod(0o755)
    for name, text in {"sfumato_secret": "s3", "database_password": "a/b c\n"}.items():
        (tmp_path / name).write_text(text)
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    more = {"PATH": path, "SFUMATO_SECRETS": str(tmp_path), "SFUMATO_DATABASE_HOST": "database"}
    entry = str(ROOT / "container" / "sfumato-container")
    said = subprocess.run([entry, "serve", "--team"], env=more, capture_output=True, text=True, check=True).stdout
    assert said == "s3|postgresql://sfumato:a%2Fb%20c@database/sfumato|serve --team\n"
    (tmp_path / "database_password").unlink()
    refused = subprocess.run([entry, "worker"], env=more, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "database_password, found no such file" in refused.stderr
