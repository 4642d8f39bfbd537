"""The section "Digests": the SHA-256 digest of every published file, to compare with the files received."""

from __future__ import annotations

import hashlib

from sfumato.experiments.reports.board.facts import Facts
from sfumato.experiments.reports.documents.document import Block, Grid, Paragraph

__all__ = ["digests"]


def digests(facts: Facts) -> tuple[Block, ...]:
    """The blocks of the section."""
    listed = {**(facts.certificate.files or {}), "certificate.json": hashlib.sha256(facts.release.raw).hexdigest()}
    return (
        Paragraph(
            "A digest is a fingerprint of a file: if one letter of the file changes, the digest changes. The "
            "certificate lists the digests of the other files, and this report adds that of the certificate itself. A "
            "recipient who finds the same digests has the files that this report is about."
        ),
        Grid("SHA-256 digests", ("file", "digest"), tuple(listed.items()), code=(0, 1)),
    )
