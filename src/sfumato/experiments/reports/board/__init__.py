"""The report for a board: one document about a release, as a page or a PDF, in a public and a private edition.

`sections` lists the sections, one file each; `facts` is what they are made from.
"""
