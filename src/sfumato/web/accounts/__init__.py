"""Users, invitations, tokens, certificates, and the audit trail."""
