"""How promises are kept: one paper a file."""

from sfumato.methods.base import Method, Outcome, Run
from sfumato.methods.release import Release

__all__ = ["Method", "Outcome", "Release", "Run"]
