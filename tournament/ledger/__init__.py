"""The append-only ledger: its chain, its triggers, and the check that it and the facts agree."""
