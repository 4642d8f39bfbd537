"""Invitations: links that make an account, a membership of a project, or a new password."""
