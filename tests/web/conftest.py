"""A server for tests: its folder is temporary, and so is its database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

SALES = pl.DataFrame(
    {
        "age": [31, 32, 33, 41, 42, 43, 51, 52, 53, 61, 62, 63],
        "sex": ["f", "m"] * 6,
        "zip": ["4310", "4310", "4311", "4311", "4312", "4312"] * 2,
        "illness": ["flu", "hiv", "flu", "cold", "flu", "cold"] * 2,
    }
)
TABLE = {"kind": "table", "quasi_identifiers": ["age", "sex", "zip"], "sensitive": ["illness"]}


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """A database whose audit trail can be emptied, which tests do that are not inside a transaction."""
    from django.db import connection

    from sfumato.web.accounts.audit_trail import triggers

    with django_db_blocker.unblock():
        triggers.remove(connection)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, settings: Any) -> Path:
    """The private folder of the server; passwords are digested quickly."""
    settings.SFUMATO_HOME = tmp_path / "home"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def static_files(settings: Any) -> None:
    """They are found when they are asked for; otherwise every client begins with reading all of them."""
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture
def owner(db: Any, django_user_model: Any) -> Any:
    """The person whose projects these are."""
    return django_user_model.objects.create_user("ann", password="correct horse battery", is_ita=False)


@pytest.fixture
def client(client: Any, owner: Any) -> Any:
    """A browser in which the owner is signed in."""
    client.force_login(owner)
    return client


@pytest.fixture
def project(owner: Any) -> Any:
    """A project with nothing in it."""
    from sfumato.web.workbench.models import Project

    return Project.objects.create(name="Clinic", owner=owner)


@pytest.fixture
def version(project: Any) -> Any:
    """A table of twelve patients."""
    from sfumato.web.workbench.versions import new_dataset

    return new_dataset(project, "patients", SALES, dict(TABLE))


@pytest.fixture
def run_jobs(transactional_db: Any) -> Callable[[], int]:
    """Run all jobs that wait; they see what the test wrote, so the test is not inside a transaction."""
    from sfumato.web.jobs.worker import run_waiting

    return run_waiting
