"""The audit trail: events that cannot be changed, seals over them, and pages of them."""
