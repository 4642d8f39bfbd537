"""The published directory: its files, certificate, signature and ledger."""

from sfumato.io.published.directory import Published, read, write

__all__ = ["Published", "read", "write"]
