"""Webhooks: what happens in an event is told to addresses that its organisers name.

    addresses   what may be named, and to which addresses of the network a message may go
    events      rows of the ledger -> messages, by what everybody may see
    posting     one POST, to a checked address, within a time; its signature, by which a receiver knows the sender; and
                when it is tried again or given up

The task of the running server that looks for what is due is jobs/webhooks.py.

The rows are written by actions/event/webhooks.py, what people do, and actions/upkeep/deliveries.py, what the sender
does. Nothing of
this happens within a save: the sender reads the ledger after the commit, in whichever server comes first.
"""
