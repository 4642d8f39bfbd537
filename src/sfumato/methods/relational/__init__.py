"""Methods for tables; all of them look at a table as `sfumato.data.tables.encoding.Coding`."""
