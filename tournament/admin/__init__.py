"""Django's admin over everything: what has an action is changed through it, all else can only be looked at.

There is no way around the actions: no inlines, no editable lists, no bulk deletion. Users are no facts of a
tournament, so they are kept with Django's own forms; those who stand in a ledger cannot be deleted.
"""

from django.contrib import admin
from django.contrib.auth.models import Group

from tournament.admin.accounts import AccountAdmin
from tournament.admin.events import EntryAdmin, MembershipAdmin, StageAdmin, TournamentAdmin
from tournament.admin.reading import (
    ApartAdmin,
    ApiTokenAdmin,
    CallAdmin,
    DecisionAdmin,
    DeliveryAdmin,
    DrawAdmin,
    IncidentAdmin,
    InviteAdmin,
    LedgerCheckAdmin,
    LedgerNoteAdmin,
    LedgerRowAdmin,
    OrganiserAdmin,
    PlayAdmin,
    PlayerAdmin,
    ProposalAdmin,
    RegistrationAdmin,
    ResultAdmin,
    ScreenAdmin,
    SeatAdmin,
    TableAdmin,
    TickAdmin,
    WebhookAdmin,
)
from tournament.models import (
    Apart,
    ApiToken,
    Call,
    Decision,
    Delivery,
    Draw,
    Entry,
    Incident,
    Invite,
    LedgerCheck,
    LedgerNote,
    LedgerRow,
    Membership,
    Organiser,
    Play,
    Player,
    Proposal,
    Registration,
    Result,
    Screen,
    Seat,
    Stage,
    Table,
    Tick,
    Tournament,
    User,
    Webhook,
)

admin.site.disable_action("delete_selected")
admin.site.unregister(Group)  # roles are Memberships
admin.site.site_header = admin.site.site_title = "Lastcard"

admin.site.register(User, AccountAdmin)
admin.site.register(Tournament, TournamentAdmin)
admin.site.register(Entry, EntryAdmin)
admin.site.register(Membership, MembershipAdmin)
admin.site.register(Stage, StageAdmin)
admin.site.register(Organiser, OrganiserAdmin)
admin.site.register(Player, PlayerAdmin)
admin.site.register(Table, TableAdmin)
admin.site.register(Seat, SeatAdmin)
admin.site.register(Play, PlayAdmin)
admin.site.register(Result, ResultAdmin)
admin.site.register(Decision, DecisionAdmin)
admin.site.register(Draw, DrawAdmin)
admin.site.register(Apart, ApartAdmin)
admin.site.register(Registration, RegistrationAdmin)
admin.site.register(Invite, InviteAdmin)
admin.site.register(Tick, TickAdmin)
admin.site.register(Proposal, ProposalAdmin)
admin.site.register(Call, CallAdmin)
admin.site.register(Incident, IncidentAdmin)
admin.site.register(Screen, ScreenAdmin)
admin.site.register(ApiToken, ApiTokenAdmin)
admin.site.register(Webhook, WebhookAdmin)
admin.site.register(Delivery, DeliveryAdmin)
admin.site.register(LedgerRow, LedgerRowAdmin)
admin.site.register(LedgerNote, LedgerNoteAdmin)
admin.site.register(LedgerCheck, LedgerCheckAdmin)
