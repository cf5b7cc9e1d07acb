"""Words for the codes of faults, cards, rulesets and statuses.

`fault_text` tells what is wrong and what would be right, in the reader's language, with players by their public names.
Every code that scoring or an action can give has a row here; a test checks that the table is complete.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext, gettext_lazy as _

from rulesets import RULESETS, Ruleset
from tournament.permissions import ACTIONS
from tournament.results.faults import Fault
from tournament.words.kinds import KINDS, Text
from tournament.words.registering import REGISTERING
from tournament.words.text import clock_text

CARDS: dict[str, Text] = {
    "draw2": _("Draw 2"),
    "reverse": _("Reverse"),
    "skip": _("Skip"),
    "wild": _("Wild"),
    "wild4": _("Wild Draw 4"),
    "shuffle": _("Shuffle Hands"),
    "custom": _("Customizable"),
}

# Scoring gives this in place of a card where it counted all of them.
TOGETHER: dict[str, Text] = {"of all kinds": _("All hands together")}

# Faults of a score sheet (docs/score-sheet.md lists the same codes).
SHEET_FAULTS: dict[str, Text] = {
    "malformed": _("This is not what belongs here."),
    "unknown_ruleset": _("There is no such ruleset."),
    "ruleset_not_for_kind": _("This ruleset is not played this way."),
    "duplicate_player": _("%(player)s is named twice."),
    "unknown_player": _("%(player)s is not one of the players here."),
    "too_few_players": _("At least %(least)s players are needed."),
    "bad_number": _("The numbering has a gap: number %(expected)s comes next."),
    "unknown_card": _("There is no such card."),
    "card_not_in_deck": _("%(card)s is not in this deck."),
    "negative_count": _("Nobody can hold fewer than no cards."),
    "deck_exceeded": _("%(card)s: %(count)s counted, but only %(available)s can be there. Count again."),
    "missing_hand": _("Count the cards left with %(player)s."),
    "empty_hand": _("%(player)s did not go out, so at least one card is left. Count again."),
    "elapsed_over_limit": _("Nobody goes out after the hour. Write a time from 0:00 to 60:00."),
    "duration_too_short": _("The game cannot be shorter than the last one to go out."),
    "duration_too_long": _("The game ended when the last but one went out."),
    "missing_duration": _("Somebody gave up or was ejected: say when the game ended."),
    "two_losers": _("Only one player can be the last one left."),
    "wrong_ending": _("The outcomes do not fit how the game ended."),
    "disqualified_plays": _("%(player)s was ejected and cannot play any more. Leave %(player)s out."),
    "removed_plays": _("%(player)s is out and cannot play any more. Leave %(player)s out."),
    "winner_has_cards": _(
        "%(player)s won the round and has no cards. Take them out or choose another winner."
    ),
    "missing_winner": _("Choose who won the round."),
    "match_over": _("The match was over before this round. Leave it out."),
    "walkover": _(
        "At most one player is left, so nobody won this round. Take its hands out, or correct who left."
    ),
    "last_cards_invalid": _(
        "The last cards are of one kind, and one card only unless the rules allow several."
    ),
    "last_card_forbidden": _("The last card must not be black."),
    "missing_drew": _("Say who drew for the last card."),
    "drawn_cards_missing": _("%(player)s drew, so at least %(least)s cards must be in that hand."),
    "missing_target": _("Choose the target first."),
    "target_out_of_range": _("Choose another target: it must be %(expected)s."),
    "scoring_not_allowed": _("This ruleset does not use that count."),
    "incomplete_order": _("Name everybody who goes through, in the order of going out."),
}

# Further refusals of the actions.
ACTION_FAULTS: dict[str, Text] = {
    "forbidden": _("You may not do this here."),
    "account_needed": _("This needs an account. Ask the people who run this Lastcard for one."),
    "guest_players": _(
        "This event is full: one that is run without an account has at most %(most)s players. Its organiser can ask "
        "the people who run this Lastcard for an account."
    ),
    "guest_plays": _(
        "In an event that is run without an account a table has at most %(most)s games or rounds. Ask the people who "
        "run this Lastcard for an account."
    ),
    "guest_rows": _(
        "This event is full, since it is run without an account. Ask the people who run this Lastcard for an account."
    ),
    "guest_writes": _("Too many entries at once. Wait %(seconds)s seconds and send it again."),
    "guest_events": _("Too many events were made from this network today. Try again later."),
    "command_reused": _("This was sent before with other content. Open the page again and enter it anew."),
    "conflict": _("Somebody else entered this in the meantime."),
    "tournament_exists": _("This tournament exists already."),
    "unknown_table": _("There is no such table."),
    "unknown_play": _("There is no such game or round."),
    "unknown_stage": _("There is no such stage."),
    "unknown_user": _("There is no such user. Invite whoever has no account."),
    "unknown_role": _("There is no such role."),
    "unknown_organiser": _("There is no such organiser."),
    "unknown_tournament": _("There is no such tournament."),
    "unknown_token": _("There is no such access token."),
    "token_exists": _(
        "This access token was made already. If you did not keep its secret, revoke it and make another."
    ),
    "too_many_tokens": _("You have %(most)s access tokens. Revoke one that you do not use first."),
    "unknown_announcement": _("There is no such announcement."),
    "unknown_screen": _("There is no such screen."),
    "unknown_scene": _("A screen cannot show this."),
    "no_scene": _("Choose at least one."),
    "too_many_announcements": _("%(most)s announcements are up already. Take one down first."),
    "announcement_down": _("This announcement is down already."),
    "too_many_screens": _("An event has at most %(most)s screens."),
    "webhooks_off": _(
        "This Lastcard tells no other address what happens: its operator has switched that off."
    ),
    "unknown_webhook": _("There is no such webhook."),
    "unknown_webhook_kind": _("A webhook cannot be told this."),
    "no_webhook_kind": _("Choose at least one."),
    "too_many_webhooks": _("An event has at most %(most)s webhooks."),
    "webhook_address": _("Use https:// at the beginning of the address."),
    "webhook_https": _("Use https://"),
    "webhook_private": _("This address is not a public one. The operator of this Lastcard can allow it."),
    "webhook_rests": _("This webhook is paused or switched off: let it go on first."),
    "unknown_delivery": _("There is no such message."),
    "unknown_setting": _("This setting does not belong to this kind of stage."),
    "unknown_time_zone": _("There is no such time zone."),
    "wrong_kind_of_stage": _("This ruleset or stage is not played this way."),
    "stage_not_running": _("This stage is not being played now."),
    "stage_not_planned": _("This stage has begun."),
    "stage_exists": _("This stage exists already."),
    "play_exists": _("This was entered at another table."),
    "wait_for_predecessor": _("Number %(next)s comes first."),
    "game_not_running": _("This game is not running."),
    "another_game_running": _("Another game is running at this table."),
    "next_game_began": _("The next game has begun. Correct this one instead."),
    "player_in_game": _("%(player)s is in a running game."),
    "joined_too_late": _("Somebody has gone out already, so nobody can join this game any more."),
    "entered_already": _(
        "Somebody with this name is entered already. Pick them from the list, or add an initial if this is somebody "
        "else."
    ),
    "not_warned": _("%(player)s has not been warned. Nobody is removed without a warning."),
    "nothing_to_take_back": _("There is nothing to take back here."),
    "no_round_yet": _("No round has been entered yet, so there is nothing to stop."),
    "nobody_to_play": _("Fewer than two players are still here. Let somebody back in first."),
    "match_not_stopped": _("This match was not stopped."),
    "heat_recorded": _("This table's heat is entered already. Correct it instead."),
    "missing_reason": _("Write a reason."),
    "not_a_number": _("Write a whole number from %(least)s to %(most)s, or leave it empty."),
    "number_too_large": _("That is more than there can be: at most %(most)s."),
    "missing_time": _("Write when %(player)s went out, in minutes and seconds."),
    "long_sheet": _(
        "An event takes at most %(most)s games, rounds or heats, not %(rows)s. Keep the sheet as a file, or shorten it."
    ),
    "too_many_at_once": _("At most %(most)s players at a time. Split them up."),
    "void_in_sheet": _("A void game cannot be taken along: take it out first."),
    "not_a_moment": _("Choose the day and the time."),
    "start_in_future": _("This is still to come. Choose when the game began, or leave it empty."),
    "start_before_stage": _("The session began at %(at)s. Choose a later time, or leave it empty."),
    "not_a_time": _("Write minutes and seconds, from 0:00 to 60:00."),
    "missing_outcome": _("Say how the game ended for %(player)s."),
    "missing_ending": _("Say how the game ended."),
    "duplicate_order": _("Two players cannot both be number %(number)s."),
    "nobody_chosen": _("Choose a player."),
    "already_void": _("This is void already."),
    "unknown_version": _("There is no such version of it."),
    "version_running": _("The game was not over then."),
    "same_version": _("It says just that already."),
    "other_players": _("Other people sit at that table."),
    "set_aside_undecided": _("Table %(table)s: number %(number)s is on hold. Correct it or leave it out."),
    "already_out": _("%(player)s is out already."),
    "not_out": _("This player is not out."),
    "not_in_event": _("%(player)s does not take part yet."),
    "not_expected": _("%(player)s is not expected any more: here already, or out."),
    "has_played": _("%(player)s has played here already. Let them leave instead."),
    "other_in_use": _("%(player)s has a seat or has played, so keep that one and take the other out."),
    "entered_twice": _("That player is entered here already. Make one of the two entries."),
    "in_running_game": _("%(player)s is in a running game: enter there that they gave up or were ejected."),
    "ejected_in_game": _("This player was ejected in a game: correct that game instead."),
    "target_locked": _("The target can no longer change, since a round has been entered."),
    "settings_locked": _("The settings are locked, since play has started."),
    "too_many_card_texts": _("There are not so many Customizable cards in the deck: %(most)s."),
    "seats_changed": _("These seats were changed after this page was opened."),
    "game_running_here": _("A game runs at table %(table)s: its seats change when it is over."),
    "table_has_begun": _("Table %(table)s has begun; its seats stay as they are."),
    "seated_elsewhere": _("%(player)s sits at another table."),
    "number_taken": _("There is a table %(table)s already."),
    "same_two": _("Choose two different players."),
    "apart_already": _("These two are kept apart already."),
    "unknown_pair": _("These two are not kept apart any more."),
    "not_seated": _("This player does not sit at this table."),
    "same_player": _("Nobody is both the oldest and the youngest."),
    "illegal_move": _("This cannot be done now: the stage is %(state)s."),
    "frozen_already": _("These standings are frozen already."),
    "not_frozen": _("These standings are not frozen."),
    "frozen_by_earlier": _("Reveal the stage before this one first: it is frozen too."),
    "reveal_begun": _("The reveal has begun already."),
    "reveal_not_begun": _("The reveal has not begun, or the stage was opened again since."),
    "revealed_already": _("Somebody else revealed this already: %(left)s to go."),
    "clock_runs": _("A clock is running already. Stop it first, or give it more minutes."),
    "clock_over": _("The time is up. Stop the clock first, or give it more minutes."),
    "no_clock": _("No clock is running here."),
    "break_passed": _("Choose a time in the next 12 hours."),
    "no_tables": _("Seat the players first."),
    "game_running": _("A game is still running."),
    "match_not_over": _("The match is not over. Play on, or stop it."),
    "heat_missing": _("Table %(table)s has no result yet."),
    "play_unaccepted": _("%(play)s: a second person has not accepted it yet."),
    "play_contested": _("%(play)s is contested: correct it, or another referee accepts it."),
    "own_entry": _("You entered this yourself: another referee or the players accept it."),
    "changed_meanwhile": _("%(play)s was changed meanwhile. Look at it, then decide about the others again."),
    "nothing_to_accept": _("Nobody is asked to accept this now."),
    "looked_at_already": _("Somebody is asked to accept this already."),
    "too_late_to_accept": _(
        "Players can say so for %(minutes)s minutes after the entry. Call a referee if something is wrong."
    ),
    "entered_meanwhile": _("A referee entered this in the meantime. Look at the table again."),
    "proposal_exists": _("This was proposed already."),
    "proposal_gone": _("This proposal does not wait any more. Look at the table again."),
    "next_stage_began": _("The next stage has begun, so who goes through stays as it is."),
    "heats_not_finished": _("Finish the heats first."),
    "cannot_keep_apart": _("People who are kept apart cannot all sit at different tables."),
    "places_open": _("Heat %(heat)s: decide who goes through, or leave the place open."),
    "nothing_to_decide": _("The seats are as the heats and the decisions say."),
    "no_free_seat": _("No seat is free. Take somebody out first."),
    "comes_already": _("%(player)s goes through already."),
    "level_stays": _("Stage %(stage)s has seats or has begun, so it stays as it is. Empty its seats first."),
    "no_levels": _("Plan from 1 to %(most)s stages."),
    "nothing_to_publish": _("There is nothing to publish that was not published already."),
    "nobody_through": _("At least two players must go through."),
    "unknown_point": _("There is no such point on the checklist."),
    "ticked_already": _("This is ticked off already."),
    "not_ticked": _("This is not ticked off."),
    "too_many_asks": _("Other phones ask already. Wait until they are answered, or scan the QR code."),
    "ask_gone": _("This phone does not ask any more."),
    "unknown_link": _("This link no longer works."),
    "unknown_invite": _("There is no such invite. Scan the code again, or ask for a new one."),
    "invite_exists": _("This invite exists already."),
    "invite_revoked": _("This invite was taken back. Ask the organiser for a new one."),
    "invite_expired": _("This invite has expired. Ask the organiser for a new one."),
    "invite_used_up": _("This invite is used up. Ask the organiser for a new one."),
    "event_over": _("This event is over."),
    "tables_of_referee": _("Only a table referee’s role holds for single tables."),
    "expiry_out_of_range": _("Choose a moment from now on, at most %(days)s days ahead."),
    "no_referees": _("Nobody is a table referee of every table yet. Invite referees first."),
    "referees_posted": _("Every table has a referee already."),
    "registration_closed": _("Registration is closed. Ask the organiser whether there is still a place."),
    "name_taken": _("%(player)s is taken in this event. Choose another nickname."),
    "name_locked": _("The nickname stays as it is, since play has begun. Ask a referee if it is wrong."),
    "not_a_birth_date": _("Nobody who comes was born on that day. Leave it empty if you like."),
    "ends_before_it_begins": _("The end must come after the beginning."),
    "not_asking": _("%(player)s does not ask to take part any more."),
    "not_waiting": _("%(player)s is not on the waiting list any more."),
    "not_now": _("This cannot be done as you stand in this event now."),
    "check_in_closed": _("Players cannot check themselves in at this time. Ask at the desk."),
    "play_has_begun": _("Play has begun: ask a referee."),
    "not_listed": _("The people who run this Lastcard choose whose events are listed."),
    "rehearsal_not_listed": _("A rehearsal is never in the list of tournaments."),
    "already_played": _("Something was played here, so the event cannot be deleted. Put it away instead."),
    "played_already": _("Something was played or ruled here, so this stays. Copy the event instead."),
    "not_put_away": _("This event is not put away."),
    "unknown_incident": _("There is no such incident."),
    "incident_exists": _("This incident exists already."),
    "already_withdrawn": _("This is withdrawn already."),
    "ejection_stands": _("The ejection stands: take it back where it was entered, and this goes with it."),
    "unknown_penalty": _("These rules have no such penalty."),
    "missing_ruling": _("Write how you ruled."),
    "missing_votes": _("Count the votes for yes and for no."),
    "too_many_votes": _("Only %(most)s players sit here."),
    "missing_oldest": _("The vote is tied. What does the oldest player say?"),
    "called_already": _("Somebody called from this table already."),
    "unknown_call": _("Nobody calls any more."),
    "answered_already": _("Somebody answered this call already."),
    "no_picture": _("This is no picture. Choose a PNG, JPEG, WebP or GIF file."),
    "picture_too_large": _("The picture is too large. Choose one of at most 2 MB and 16 million pixels."),
    "slug_taken": _("The address %(slug)s is taken. Choose another."),
    "entry_in_use": _("%(player)s has a seat or has played. Let them leave instead."),
    "last_organiser": _("A tournament keeps at least one organiser."),
    "unknown_row": _("There is no such entry in the ledger."),
    "too_old": _("This was done more than a day ago, so it cannot be undone any more."),
    "cannot_be_undone": _("This cannot be undone here. %(why)s"),
    "already_undone": _("%(who)s undid this at %(at)s already (number %(number)s)."),
    "changed_since": _("Changed since: %(who)s %(did)s at %(at)s (number %(number)s). Take that back first."),
    "in_use_since": _("In use since: %(who)s %(did)s at %(at)s (number %(number)s)."),
    "does_not_fit": _("What is there now does not let this be put back."),
    "field_required": _("Fill this in."),
    "field_blank": _("Fill this in."),
    "field_null": _("Fill this in."),
    "field_invalid": _("This is not what belongs here."),
    "field_invalid_choice": _("Choose one of the list."),
    "field_max_length": _("At most %(limit_value)s characters; these are %(show_value)s."),
    "field_min_value": _("At least %(limit_value)s."),
    "field_max_value": _("At most %(limit_value)s."),
    "field_unique": _("This is taken."),
    "field_unique_together": _("This is taken."),
    "field_constraint": _("This does not fit what is there already."),
}

FAULTS = SHEET_FAULTS | ACTION_FAULTS | REGISTERING
# `elapsed_over_limit` where it is the game's clock that was put wrong, and not a player's time.
CLOCK_OVER_LIMIT: Text = _("The clock would then show %(time)s. It goes from 0:00 to 60:00.")

# A play of the same contest stands in the way: its name, and the way out.
WAYS_OUT: dict[str, Text] = {
    "disqualified_plays": _(
        "%(player)s was ejected before (%(play)s). Leave %(player)s out, or say when this game began if it was earlier."
    ),
    "removed_plays": _(
        "%(player)s is already out here (%(play)s). Leave %(player)s out, or let %(player)s back in first."
    ),
    "already_out": _("%(player)s is already out (%(play)s). Correct it there."),
    "match_over": _("The match is over (%(play)s). Correct that first, or leave this round out."),
    "missing_hand": _(
        "%(player)s did not play (%(play)s). Void that, let %(player)s back in, then correct it with their hand."
    ),
}

# Why an action is not undone from the ledger, by its declaration (`Undo` in tournament/permissions.py).
WHY_NOT: dict[str, Text] = {
    "at_table": _("Open the table: what was entered there is corrected or voided on its own page."),
    "come_back": _("Open the player: leaving and coming back are entered there."),
    "again": _("Open its page and set it anew: names and texts are not kept in the ledger."),
    "whole_event": _("It made the whole event."),
    "names_gone": _("Names went with it, and the ledger keeps none: enter them again."),
    "links": _("It is about links that people hold: make a new one."),
}


class _Parameters(dict[str, Any]):
    """Parameters of a text; a missing one becomes "…" instead of breaking the page."""

    def __missing__(self, key: str) -> str:
        return "…"


def fault_text(fault: Fault, names: Mapping[str, str] | None = None) -> str:
    """Word a fault in the reader's language. `names` are public names by entry uid."""
    names = names or {}
    parameters = _Parameters(fault.parameters)
    if "player" in parameters:
        parameters["player"] = names.get(str(parameters["player"]), parameters["player"])
    else:
        parameters["player"] = next(
            (names[step] for step in fault.path.split("/") if step in names), _("A player")
        )
    texts = FAULTS
    if "contest" in parameters:
        kind = KINDS[str(parameters["contest"])]
        parameters["play"] = str(kind.play_at if "table" in parameters else kind.play) % parameters
        texts = FAULTS | WAYS_OUT
    if "card" in parameters:
        parameters["card"] = card_name(str(parameters["card"]), RULESETS.get(str(parameters.get("ruleset"))))
    if "most" in parameters and "expected" in parameters:
        parameters["expected"] = gettext("from %(least)s to %(most)s") % parameters
    if "did" in parameters:
        parameters["did"] = action_name(str(parameters["did"]))
    if "why" in parameters:
        parameters["why"] = WHY_NOT.get(str(parameters["why"]), "")
    text = texts.get(fault.code, FAULTS["malformed"])
    elapsed = parameters.get("elapsed_s")
    if fault.code == "elapsed_over_limit" and fault.path == "/elapsed_s" and isinstance(elapsed, int):
        text = CLOCK_OVER_LIMIT
        parameters["time"] = ("−" if elapsed < 0 else "") + clock_text(abs(elapsed))
    return str(text) % parameters


def card_name(card: str, ruleset: Ruleset | None = None) -> str:
    """Give the card's name as the ruleset's sheet says it, or the usual one; a number is its own name."""
    own = ruleset.card_names.get(get_language() or "", {}) if ruleset else {}
    return own.get(card) or str(CARDS.get(card) or TOGETHER.get(card, card))


def ruleset_name(ruleset: str) -> str:
    """Name the ruleset in the reader's language; one that no longer exists by its id."""
    known = RULESETS.get(ruleset)
    return ruleset if known is None else known.names.get(get_language() or "", known.name)


def table_text(stage: object, number: int) -> str:
    """Name a table with its stage: "Final, table 2"."""
    return gettext("%(stage)s, table %(number)d") % {"stage": stage, "number": number}


def action_name(action: str) -> str:
    """Describe the ledger's action in words; give the name itself of one that no longer exists."""
    return str(ACTIONS[action].says) if action in ACTIONS else action


def drawn_text(action: str, note: str) -> str:
    """Word the note of a ledger row that is the seed of a draw; "" where people wrote the note."""
    return str(_("drawn with the seed %(seed)s")) % {"seed": note} if note and action == "seat_stage" else ""
