"""Practice: a newcomer tries Lastcard as a referee and as a player, without an account.

Each newcomer has events of their own, one for each way to play, in the middle of play. They are rehearsals: marked on
every page, never listed. After `LASTS` they are deleted with the newcomer and everything that was typed; whoever comes
again gets new ones. What an event is, and since when, the database says: its ledger's first row is the `HOST`'s.

events    makes them, from fixtures/practice/
times     until when they last, and whose they are
ending    puts them away and deletes them
`actions/upkeep/practice.py` writes; `views/public/practice.py` is the page that offers it, where the operator says
TRY=1.
"""
