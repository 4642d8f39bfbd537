"""Commands about a published directory: sign it, and report on it."""
