"""The JSON interface, under /api/v1/: everything that the pages show and do, for other programs.

| question | where |
| --- | --- |
| who asks, and what may they see and do? | `auth` |
| what does every address do alike, and what does a person see who opens it in a browser? | `base` |
| what does an error look like? | `problems` |
| when does somebody have the answer already? | `versions` |
| what stands in an answer? | `shapes`, as the schema documents it, and `reading`, which makes it |
| what does each address answer? | `reads`, `staff` for those who run an event, `tours` across events; `urls` |
| what can be done, at which address? | `writes`; `writing` carries it out, `bodies` say what it holds |
| how are lists narrowed and divided? | `filters` |
| what does the OpenAPI document say beside that? | `schema`, with `examples` |
"""
