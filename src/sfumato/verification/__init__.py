"""Verification of published directories: by whoever has the files alone, the original, or the private report too."""

from sfumato.verification.directory import Check, verify

__all__ = ["Check", "verify"]
