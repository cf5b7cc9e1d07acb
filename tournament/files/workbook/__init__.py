"""What leaves as files: the Excel workbook of a tournament.

| step | where |
| --- | --- |
| read everything as of one moment | `reading.read_event` |
| which sheets there are | `workbook.write_workbook` |
| which columns, and in which cell everything stands | `columns`, `layout` |
| rows and their formulas | `standings`, `games`, `rounds`, `heats`, `hands`; what they share in `plays` and `marks` |
| charts, the bracket, incidents and rulings | `courses`, `bracket`, `referees` |
| sheets with their looks; how a value becomes a cell, text never a formula | `book.Book`, `cells.SheetRows` |

Points and places come from `tournament.results.answer` alone; nothing is worked out here. The formulas beside them
are worked out by whoever opens the workbook; tests/files/workbook/test_formulas.py holds them against scoring.
"""
