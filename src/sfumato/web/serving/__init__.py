"""Start the server of one person or of a team, its workers, and its backup."""
