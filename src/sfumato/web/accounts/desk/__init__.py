"""Pages of IT administrators: people, studies, the server, the audit trail; no data of projects and studies."""
