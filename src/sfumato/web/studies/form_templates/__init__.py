"""Parts of forms that are used again."""
