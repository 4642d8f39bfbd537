"""The JSON interface: the same verbs as the pages, by token, described by OpenAPI."""
