"""Every way in which a published directory is tampered with, one family a file."""

from trials.changes import certificate, context, files, records
from trials.changes.base import CHANGES, EXPECTED, Copy

__all__ = ["CHANGES", "EXPECTED", "Copy", "certificate", "context", "files", "records"]
