"""Answers as files, forms as XLSForm, and spreadsheets that become entries."""
