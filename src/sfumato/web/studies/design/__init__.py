"""The platform builder: questions, branching, previews, versions and their impact on answers."""
