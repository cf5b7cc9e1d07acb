"""The help: docs/ as pages, each in the visitor's language where somebody has written it in that language.

| question | file |
| --- | --- |
| which pages are there, for whom, in which language; where does a link of docs/ lead? | `pages.py` |
| how does Markdown become a page? | `markdown.py` |
"""
