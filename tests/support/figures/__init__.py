"""Figures of the code's structure, counted in the files that are checked out. `make figures` prints each figure beside
its target.

The functions count in sources given as {path: text}, so that a test can hand them a house of three lines.
"""
