"""Verification of published directories: from the files alone, with the original, or with the private report too."""

from sfumato.verification.directory import Check, verify

__all__ = ["Check", "verify"]
