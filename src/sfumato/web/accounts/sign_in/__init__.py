"""Ways to sign in: password, single sign-on, client certificate, one-time link; and the second factor."""
