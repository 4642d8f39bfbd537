"""Commands about the meaning of movements: knowledge bases, segmentation and enrichment."""
