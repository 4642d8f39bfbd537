"""`sfumato prepare`: one command for each preparation."""
