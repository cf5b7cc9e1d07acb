#!/usr/bin/env python
"""Lastcard's commands in a checkout: `python manage.py help` lists them."""

import sys

from tournament.__main__ import main, run

if __name__ == "__main__":
    if sys.argv[1:2] in (["score"], ["--help"], ["-h"], ["help"]):
        main()
    else:
        run(sys.argv)
