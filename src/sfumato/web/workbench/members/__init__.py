"""People of a project."""
