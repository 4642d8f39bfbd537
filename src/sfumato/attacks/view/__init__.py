"""What an attacker sees: the setting, the published records, and which of them match."""
