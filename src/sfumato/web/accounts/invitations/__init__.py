"""Invitations: links that make an account, a membership of a project or study, or a new password."""
