"""Pages of IT administrators: people, the server, the audit trail; no data of projects."""
