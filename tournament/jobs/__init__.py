"""What a running server does by itself, beside backups (backup/making.py).

ledger_check  one check of every event that is played, of all servers by one; see ledger/look.py
upkeep        the thread that checks, ends newcomers' practice and, once an hour, erases contacts that nobody needs any
              more (actions/people/personal_data.py)
webhooks      the task that sends what webhooks are told
"""
