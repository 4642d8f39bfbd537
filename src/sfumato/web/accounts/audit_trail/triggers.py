"""Triggers of the database that refuse to change or delete an event or a seal."""

from __future__ import annotations

from typing import Any

__all__ = ["install", "remove"]

_TABLES = ("accounts_event", "accounts_seal")


def install(connection: Any) -> None:
    """Make the two tables append-only."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION sfumato_append_only() RETURNS trigger LANGUAGE plpgsql AS "
                "$$BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END$$"
            )
        for table in _TABLES:
            for statement in _statements(connection.vendor, table):
                cursor.execute(statement)


def remove(connection: Any) -> None:
    """Take the triggers away; the migration backwards and tests that empty the database need it."""
    with connection.cursor() as cursor:
        for table in _TABLES:
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_rows ON {table}")
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_all ON {table}")
            else:
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_update")
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_delete")


def _statements(vendor: str, table: str) -> list[str]:
    if vendor == "postgresql":
        call = "EXECUTE FUNCTION sfumato_append_only()"
        return [
            f"CREATE TRIGGER {table}_rows BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {call}",
            f"CREATE TRIGGER {table}_all BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {call}",
        ]
    refusal = "BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END"
    return [
        f"CREATE TRIGGER {table}_{verb} BEFORE {verb.upper()} ON {table} {refusal}" for verb in ("update", "delete")
    ]
