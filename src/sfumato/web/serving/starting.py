"""Prepare the process of a server or a worker: its packages, its settings, its database."""

from __future__ import annotations

import os
import secrets
from importlib.util import find_spec
from pathlib import Path

from sfumato.errors import CallerError, MissingExtra, ParameterError
from sfumato.web.home import default_home, private_folder

__all__ = ["kept_key", "migrate", "pending_migrations", "require_packages", "set_up_person", "set_up_team"]

_TEAM_NEEDS = {
    "SFUMATO_HOME": "the private folder of all files",
    "SFUMATO_DATABASE_URL": "postgresql://user:password@host/name",
    "SFUMATO_SECRET": "the key that signs sessions, at least 32 random characters",
    "SFUMATO_HOSTS": "the names under which the server is reached, separated by commas",
}
_SHORTEST_KEY = 32


def require_packages() -> None:
    """Refuse, in one sentence, if the packages of the extra `web` are not installed."""
    needed = {
        "django": "Django",
        "django_htmx": "django-htmx",
        "csp": "django-csp",
        "whitenoise": "whitenoise",
        "waitress": "waitress",
        "argon2": "argon2-cffi",
        "psycopg": "psycopg",
        "vl_convert": "vl-convert-python",
        "openpyxl": "openpyxl",
        "pyreadstat": "pyreadstat",
    }
    for module, package in needed.items():
        if find_spec(module) is None:
            raise MissingExtra(package, "web")


def set_up_person(home: Path | None = None, *, with_key: bool = True) -> Path:
    """The private folder of one person's server, with Django ready to use it.

    with_key : whether to make the key that signs sessions; a restore brings its own.
    """
    require_packages()
    folder = private_folder(Path(home or os.environ.get("SFUMATO_HOME") or default_home()).absolute())
    os.environ["SFUMATO_HOME"] = str(folder)
    if with_key:
        os.environ["SFUMATO_SECRET"] = kept_key(folder / "key")
    for name in ("SFUMATO_TEAM", "SFUMATO_DATABASE_URL", "SFUMATO_HOSTS"):
        os.environ.pop(name, None)
    _set_up()
    return folder


def set_up_team(*, needs: tuple[str, ...] = tuple(_TEAM_NEEDS)) -> Path:
    """The private folder of a team's server, with Django ready to use it; everything comes from the environment."""
    require_packages()
    for name in needs:
        if not os.environ.get(name):
            raise ParameterError(f"{name}: a team's server needs {_TEAM_NEEDS[name]} in the environment, found nothing")
    if "SFUMATO_SECRET" in needs and len(os.environ["SFUMATO_SECRET"]) < _SHORTEST_KEY:
        raise ParameterError(f"SFUMATO_SECRET: wanted at least {_SHORTEST_KEY} random characters, found fewer")
    os.environ["SFUMATO_TEAM"] = "1"
    folder = private_folder(Path(os.environ["SFUMATO_HOME"]).absolute())
    os.environ["SFUMATO_HOME"] = str(folder)
    _set_up()
    return folder


def kept_key(file: Path) -> str:
    """The key in a private file; it is made when it is first asked for, so that sessions survive a restart."""
    try:
        number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = file.read_text(encoding="ascii").strip()
        if len(key) < _SHORTEST_KEY:  # the first start was stopped while it wrote
            file.unlink()
            return kept_key(file)
        return key
    with open(number, "w", encoding="ascii") as out:
        out.write(secrets.token_urlsafe(48))
    return kept_key(file)


def pending_migrations() -> list[str]:
    """The changes of the database that this version of Sfumato needs and that were not made."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [str(migration) for migration, _ in plan]


def migrate() -> int:
    """Bring the database to this version, and say how many changes were made."""
    from django.core.management import call_command

    count = len(pending_migrations())
    if count:
        call_command("migrate", interactive=False, verbosity=0)
    return count


def _set_up() -> None:
    import django
    from django.db import OperationalError, connection

    os.environ["DJANGO_SETTINGS_MODULE"] = "sfumato.web.settings"
    os.umask(0o077)  # also of files that SQLite and libraries make
    django.setup()
    try:
        connection.ensure_connection()
    except OperationalError as error:
        what = "PostgreSQL" if connection.vendor == "postgresql" else "the database of the private folder"
        raise CallerError(f"{what} cannot be reached with these settings ({type(error).__name__})") from error
