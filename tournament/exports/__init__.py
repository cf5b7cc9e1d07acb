"""What leaves as files: the Excel workbook of a tournament.

| step | where |
| --- | --- |
| read everything as of one moment | `reading.read_event` |
| which sheets, columns and rows | `workbook.write_workbook`, with the rows of the sheets in `standings` and `plays` |
| how a value becomes a cell, text never a formula | `cells.Book` |

Points and places come from `tournament.results` alone; nothing is worked out here.
"""
