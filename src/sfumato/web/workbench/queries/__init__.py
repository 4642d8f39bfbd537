"""The queries editor: workloads with their true counts."""
