"""Our own methods for sparse movements: local suppression and splitting in place of merging everything."""
