"""Lists of players, and results, from files that people have: into rows, each with what is wrong in it.

| question | module |
| --- | --- |
| what is this file, whatever its name says? | kinds.py |
| is this workbook safe to read? | package.py, before anything in it is believed; parts.py: its XML |
| what do its cells say? | workbook.py, delimited.py: both give a Grid (grid.py) |
| which column is what, and an empty list to fill in | columns.py |
| what does a row say, and is it sound? | rows.py; lists.py puts all together |
| who of them is entered already? | matching.py |
| what can be wrong, and how is that said? | problems.py, words.py |
| how much of an upload is taken, and where is it kept? | limits.py: in memory, never on the disk |
| which plays does a workbook of results hold, and what do they say? | results.py, results_said.py |
| a workbook of results to fill in | results_template.py |

Nothing here writes: neither a file nor a row. Nothing here raises for what a file holds: a file that cannot be read is
a `refusal` with a code, as every fault of a row is.
"""

from tournament.files.lists.lists import ListRead, read_list
from tournament.files.lists.problems import Problem
from tournament.files.lists.rows import ListRow

__all__ = ["ListRead", "ListRow", "Problem", "read_list"]
