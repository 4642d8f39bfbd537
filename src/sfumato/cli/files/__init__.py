"""Commands whose results are files to keep, change and cite: hierarchies, policies, workloads, reconstructions."""
