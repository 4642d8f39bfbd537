"""The dataset editor: upload, generate, look, edit, versions, export."""
