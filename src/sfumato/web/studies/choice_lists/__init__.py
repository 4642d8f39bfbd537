"""Named lists of options that several studies share."""
