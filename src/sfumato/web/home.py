"""The private folder of a server, and the database that its settings name."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sfumato.errors import ParameterError

__all__ = ["database_of", "default_home", "private_folder", "project_folder"]


def default_home() -> Path:
    """Where files are kept if SFUMATO_HOME does not say."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "sfumato"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sfumato"


def private_folder(folder: Path) -> Path:
    """The folder, made if it is not there, that only its owner can read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def project_folder(project_id: object) -> Path:
    """The folder of a project: versions, assets, runs, releases, reports, uploads."""
    from django.conf import settings

    folder = private_folder(Path(settings.SFUMATO_HOME) / "projects" / str(project_id))
    for name in ("versions", "assets", "runs", "releases", "reports", "uploads"):
        private_folder(folder / name)
    return folder


def database_of(url: str, home: Path) -> dict[str, Any]:
    """The settings of the database that a URL names; SQLite in the private folder if it is empty.

    >>> database_of("postgresql://ann:s%2Fx@db/sfumato", Path("/x"))["PASSWORD"]
    's/x'
    >>> database_of("", Path("/x"))["NAME"].name
    'sfumato.sqlite3'
    """
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": home / "sfumato.sqlite3",
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
            },
        }
    parts = urlsplit(url)
    if parts.scheme not in ("postgresql", "postgres") or not parts.path.strip("/"):
        raise ParameterError("SFUMATO_DATABASE_URL: wanted postgresql://user:password@host/name, found another URL")
    options = dict(part.split("=", 1) for part in parts.query.split("&") if "=" in part)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(options.pop("host", parts.hostname or "")),
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
    }
