# ruff: noqa: F401, F403 - what is imported here is what the package offers
# mypy: implicit-reexport
"""All actions."""

from tournament.actions.event.advancing import *
from tournament.actions.event.announcements import *
from tournament.actions.event.checklist import *
from tournament.actions.event.events import *
from tournament.actions.event.hall_clock import *
from tournament.actions.event.planning import *
from tournament.actions.event.programme import *
from tournament.actions.event.registration import *
from tournament.actions.event.screens import *
from tournament.actions.event.seats import *
from tournament.actions.event.stages import *
from tournament.actions.event.undo import *
from tournament.actions.kernel import Command, Receipt
from tournament.actions.people.attendance import *
from tournament.actions.people.own_entry import *
from tournament.actions.people.people import *
from tournament.actions.people.personal_data import *
from tournament.actions.people.players import *
from tournament.actions.people.roles import *
from tournament.actions.table.at_table import *
from tournament.actions.table.calls import *
from tournament.actions.table.games import *
from tournament.actions.table.heats import *
from tournament.actions.table.incidents import *
from tournament.actions.table.plays import *
from tournament.actions.table.rounds import *
from tournament.actions.table.second_look import *
from tournament.actions.table.taps import *
from tournament.permissions import ACTIONS
from tournament.server import extras

for module in extras.modules("actions"):
    globals().update({name: getattr(module, name) for name in module.__all__})
ACTIONS.complete()
