"""What an attacker could do to the data as they are, or to a release."""
