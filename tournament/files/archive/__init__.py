"""An event as a file that outlives this program: everything of it, in JSON, with its score sheets.

| question | where |
| --- | --- |
| what does an archive hold? | `schema`: every kind of row and its fields' types (docs/archive.md says it in words) |
| how is it read from the database? | `stored.export_event`: rows as of one moment, without what it is not to tell |
| how does it become a zip? | `writing.pack` |
| what may a file hold that somebody brings? | `reading.Archive`: names, sizes, digests and types, before all else |
| how does it come back? | `tournament.actions.import_event`, the only writer |
| how do its pages open without a server? | `static.copied_pages`, with links that a disk can follow (`links`) |
"""
