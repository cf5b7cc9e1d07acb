"""Mutation testing: each small change to the code that no test notices is a rule that no test states.

`python -m tests.mutants scoring` (or `make mutants`) makes the changes one by one and runs the tests that take the
changed line; docs/mutants.md says how to read what it prints, and which survivors are accepted and why.

| what | where |
| --- | --- |
| which changes are made | `operators.py` |
| where they are made, and how one is written down | `sites.py` |
| a change put into the running process | `swapping.py` |
| which tests take which line; one child process for each change | `running.py` |
| survivors that are accepted, with the reason | `accepted.py`, `accepted/*.toml` |
| what is printed, and the page | `report.py` |
"""
