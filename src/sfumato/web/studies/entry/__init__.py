"""Fill in a form: saved as typed, with the history of every answer."""
