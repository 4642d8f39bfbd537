"""The content of the database in one consistent state, and back into an empty database.

SQLite copies itself.  PostgreSQL uses pg_dump where it is installed with a fitting version, and otherwise the rows of
every table inside one transaction that sees a single state.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError

__all__ = ["FORMATS", "is_empty", "load_snapshot", "save_snapshot"]

FORMATS = ("database.sqlite3", "database.pg_dump", "database.copy")
_COLUMNS = (
    "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = %s "
    "AND is_generated = 'NEVER' ORDER BY ordinal_position"
)


def save_snapshot(folder: Path) -> str:
    """Write the database into the folder, and return the name of the file or directory."""
    from django.db import connection

    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(folder / FORMATS[0])])
        return FORMATS[0]
    if _dumped(folder / FORMATS[1]):
        return FORMATS[1]
    _save_tables(folder / FORMATS[2])
    return FORMATS[2]


def load_snapshot(folder: Path, name: str) -> None:
    """Read a snapshot into the database of the settings, which is empty."""
    from django.db import connection

    kind = "sqlite" if name == FORMATS[0] else "postgresql"
    if connection.vendor != kind:
        raise CallerError(f"the backup is of {_WORDS[kind]}, and the settings name {_WORDS[connection.vendor]}")
    if name == FORMATS[0]:
        connection.close()
        database = Path(str(connection.settings_dict["NAME"]))
        for ending in ("-wal", "-shm"):
            database.with_name(database.name + ending).unlink(missing_ok=True)
        shutil.copyfile(folder / name, database)
        database.chmod(0o600)
    elif name == FORMATS[1]:
        _restore_dump(folder / name)
    else:
        _load_tables(folder / name)


def is_empty() -> bool:
    """Whether the database of the settings holds no table."""
    from django.db import connection

    return not connection.introspection.table_names()


_WORDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def _address() -> tuple[list[str], dict[str, str]]:
    """The options that name the database for the programs of PostgreSQL; the password goes by the environment."""
    from django.db import connection

    given = connection.settings_dict
    options = {"--host": given["HOST"], "--port": given["PORT"], "--username": given["USER"], "--dbname": given["NAME"]}
    words = [f"{name}={value}" for name, value in options.items() if value]
    extra = {f"PG{name.upper()}": str(value) for name, value in given.get("OPTIONS", {}).items() if name == "sslmode"}
    return words, {**os.environ, **extra, "PGPASSWORD": str(given["PASSWORD"])}


def _dumped(file: Path) -> bool:
    """Whether pg_dump wrote the file; False if it is not installed or is older than the server."""
    if shutil.which("pg_dump") is None:
        return False
    words, environment = _address()
    command = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}", *words]
    ran = subprocess.run(command, env=environment, capture_output=True, check=False)
    if ran.returncode:
        file.unlink(missing_ok=True)
    return ran.returncode == 0


def _restore_dump(file: Path) -> None:
    if shutil.which("pg_restore") is None:
        raise CallerError(
            "the backup was made by pg_dump, and pg_restore is not installed here; install PostgreSQL's client"
        )
    words, environment = _address()
    command = ["pg_restore", "--exit-on-error", "--single-transaction", "--no-owner", *words, str(file)]
    if subprocess.run(command, env=environment, capture_output=True, check=False).returncode:
        raise CallerError("pg_restore could not read the backup into the database; nothing was restored")


def _save_tables(folder: Path) -> None:
    """The rows of every table, as PostgreSQL's COPY writes them, in one state."""
    from django.db import connection, transaction

    folder.mkdir(mode=0o700)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        for table in _tables(connection):
            with (
                (folder / table).open("wb") as out,
                cursor.copy(f"COPY {_with_columns(cursor, table)} TO STDOUT") as rows,
            ):
                for part in rows:
                    out.write(part)


def _load_tables(folder: Path) -> None:
    """Make the tables of this version, then fill them; foreign keys are checked at the end."""
    from django.core.management import call_command
    from django.db import connection, transaction

    call_command("migrate", interactive=False, verbosity=0)
    present = {path.name for path in folder.iterdir()}
    if present != set(_tables(connection)):
        raise CallerError(
            "the backup was made by another version of sfumato; restore it with that version, then migrate"
        )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in sorted(present):
            cursor.execute(f"SELECT EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})")
            if cursor.fetchone()[0]:  # migrations fill a few tables
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        for table in sorted(present):
            target = f"COPY {_with_columns(cursor, table)} FROM STDIN"
            with (folder / table).open("rb") as source, cursor.copy(target) as rows:
                while part := source.read(1 << 20):
                    rows.write(part)
        _advance_sequences(connection, cursor, present)


def _advance_sequences(connection: Any, cursor: Any, tables: set[str]) -> None:
    """The next number of each table comes after the largest one in it."""
    for table in sorted(tables):
        for sequence in connection.introspection.get_sequences(cursor, table):
            name, column = connection.ops.quote_name(table), connection.ops.quote_name(sequence["column"])
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence(%s, %s), COALESCE(MAX({column}), 1), MAX({column}) IS NOT NULL) "
                f"FROM {name}",
                [name, sequence["column"]],
            )


def _tables(connection: Any) -> list[str]:
    return sorted(connection.introspection.table_names())


def _with_columns(cursor: Any, table: str) -> str:
    from django.db import connection

    cursor.execute(_COLUMNS, [table])
    columns = ", ".join(connection.ops.quote_name(name) for (name,) in cursor.fetchall())
    return f"{connection.ops.quote_name(table)} ({columns})"
