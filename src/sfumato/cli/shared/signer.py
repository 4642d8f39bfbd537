"""Checking the signature of a published directory before anything else in it."""

from __future__ import annotations

from pathlib import Path

from sfumato.cli.shared.render import print_json, say

__all__ = ["signature_holds"]


def signature_holds(folder: Path, signer: Path | None, as_json: bool) -> bool:
    """Whether the signature is valid, or no signer is given; prints the result."""
    from sfumato.io.published.signature import SIGNATURE, check_signature

    if signer is None:
        if not as_json and (folder / SIGNATURE).is_file():
            say("- signed; the signature was not checked (--signer PUBLIC_KEY checks it)")
        return True
    problem = check_signature(folder, signer)
    if problem is not None:
        if as_json:
            print_json({"holds": False, "problems": [problem], "guarantees": []})
        else:
            say(f"✗ {problem}; nothing else in {folder} was checked")
        return False
    if not as_json:
        say(f"✓ signed with the key {signer}")
    return True
