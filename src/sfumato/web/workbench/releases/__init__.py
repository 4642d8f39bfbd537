"""Releases: certificate, verdicts, files, publication, board report."""
