"""Statistics with which PostgreSQL estimates how many answers a test of a question selects."""

from typing import Any

from django.db import migrations

_COLUMNS = ("word", "number", "day")


def create(apps: Any, schema_editor: Any) -> None:
    """Values depend on the question: without knowing this, PostgreSQL expects far too few rows."""
    if schema_editor.connection.vendor == "postgresql":
        for column in _COLUMNS:
            schema_editor.execute(f"CREATE STATISTICS cell_{column}s (mcv) ON question_id, {column} FROM studies_cell")
            schema_editor.execute(f"ALTER STATISTICS cell_{column}s SET STATISTICS 1000")


def drop(apps: Any, schema_editor: Any) -> None:
    """Take the statistics back."""
    if schema_editor.connection.vendor == "postgresql":
        for column in _COLUMNS:
            schema_editor.execute(f"DROP STATISTICS IF EXISTS cell_{column}s")


class Migration(migrations.Migration):
    """After the tables of studies."""

    dependencies = [("studies", "0001_studies")]
    operations = [migrations.RunPython(create, drop)]
