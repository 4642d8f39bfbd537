"""The published directory: its files, certificate, signature and ledger."""

from sfumato.io.published.directory import Published, is_sound, read, write

__all__ = ["Published", "is_sound", "read", "write"]
