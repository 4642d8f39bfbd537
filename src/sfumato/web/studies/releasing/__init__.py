"""From answers to a release: privacy roles, risk, rehearsal, snapshots, withdrawals."""
