"""A rehearsal of a whole event day against a running server: `manage.py rehearse`, docs/rehearsal.md.

Everything here stands outside of the server, as phones and screens do: it speaks HTTP and knows no row of the database.

| module | does |
| --- | --- |
| `plan.py` | how large a day is, and what is entered at each table |
| `organiser.py` | sets the event up, and puts it away again, through the JSON interface |
| `phones.py` | a process: the referees' phones, with a bad network |
| `line.py` | a phone's connection, and how it fails |
| `watchers.py`, `crowd.py` | a process: the phones that watch |
| `own_server.py` | a server of the rehearsal's own, killed in the middle |
| `report.py` | what the server holds afterwards, beside what it acknowledged; the sums, and the words about them |
| `day.py` | all of it in its order |
"""
