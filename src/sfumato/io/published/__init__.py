"""The published directory: its files, certificate, signature and ledger."""
