"""Documents for readers who are not statisticians: sections of blocks, as one page or as a PDF, in one design."""
