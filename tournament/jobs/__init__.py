"""What a running server does by itself each minute, beside backups and webhooks.

heads     the ends of ledgers that were seen, kept in a file outside of the database
checking  one check of every event that is played, of all servers by one; see ledger/look.py
timer     the thread; it also ends newcomers' practice (jobs/practice.py), and once an hour erases contacts that
          nobody needs any more (actions/people/personal_data.py)
"""
