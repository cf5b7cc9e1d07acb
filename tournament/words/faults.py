"""Texts for codes of faults, cards, rulesets and statuses."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, gettext_lazy as _

from rulesets import RULESETS, Ruleset
from tournament.models import Play, Stage
from tournament.permissions import ACTIONS
from tournament.results.faults import Fault
from tournament.words.formats import to_the_minute
from tournament.words.kinds import KINDS, Text
from tournament.words.text import clock_text, inside

CARDS: dict[str, Text] = {
    "draw2": _("Draw 2"),
    "reverse": _("Reverse"),
    "skip": _("Skip"),
    "wild": _("Wild"),
    "wild4": _("Wild Draw 4"),
    "shuffle": _("Shuffle Hands"),
    "custom": _("Customizable"),
}

# For a card where scoring counted all
TOGETHER: dict[str, Text] = {"of all kinds": _("All hands together")}

# docs/score-sheet.md
SHEET_FAULTS: dict[str, Text] = {
    "malformed": _("This value is not valid. Check it."),
    "unknown_ruleset": _("There is no such ruleset."),
    "ruleset_not_for_kind": _("These rules do not allow this."),
    "duplicate_player": _("%(player)s is named twice."),
    "unknown_player": _("%(player)s is not one of the players here."),
    "too_few_players": _("At least %(least)s players are needed."),
    "bad_number": _("The numbering has a gap. Number %(expected)s comes next."),
    "unknown_card": _("There is no such card."),
    "card_not_in_deck": _("%(card)s is not in this deck."),
    "negative_count": _("The number of cards cannot be below 0."),
    "deck_exceeded": _("%(card)s: %(count)s counted, but at most %(available)s are possible. Count again."),
    "missing_hand": _("Count the cards %(player)s has left."),
    "empty_hand": _("%(player)s did not go out, so at least one card is left. Count again."),
    "elapsed_over_limit": _("Nobody can go out after the hour. Write a time from 0:00 to 60:00."),
    "duration_too_short": _("The game cannot be shorter than the time of the last player to go out."),
    "duration_too_long": _("The game ended when the last but one went out."),
    "missing_duration": _("Someone gave up or was ejected. Enter when the game ended."),
    "two_losers": _("Only one player can be the last one left."),
    "wrong_ending": _("The players’ outcomes do not match how the game ended. Check both."),
    "disqualified_plays": _("%(player)s was ejected and cannot play any more. Leave them out."),
    "removed_plays": _("%(player)s is out and cannot play any more. Leave them out."),
    "too_many_games": _("%(player)s has played the %(most)s games that a player may have. Leave them out."),
    "winner_has_cards": _("%(player)s won and has no cards. Remove the cards, or choose another winner."),
    "missing_winner": _("Choose who won."),
    "match_over": _("The match was over before this round. Leave it out."),
    "walkover": _(
        "Fewer than two players are left, so nobody won this round. Remove its cards, or correct who left."
    ),
    "last_cards_invalid": _("There can be only one last card, or several of one kind if the rules allow it."),
    "last_card_forbidden": _("The last card must not be black."),
    "missing_drew": _("Choose who drew because of the last card."),
    "drawn_cards_missing": _("%(player)s drew, so must hold at least %(least)s cards. Count again."),
    "missing_target": _("Choose the target first."),
    "target_out_of_range": _("The target must be from %(least)s to %(most)s. Choose another."),
    "scoring_not_allowed": _("These rules do not use that scoring."),
    "incomplete_order": _("Name everyone who goes through, in finishing order."),
}

ACTION_FAULTS: dict[str, Text] = {
    "forbidden": _("You may not do this here."),
    "account_needed": _("This needs an account. Ask whoever runs this Lastcard server for one."),
    "guest_plays": _(
        "Without an account, an event can have at most %(most)s games or rounds at a table. Ask "
        "the people who run this Lastcard server for an account."
    ),
    "guest_rows": _(
        "Without an account, this event cannot take any more entries. Ask the people who run this"
        " Lastcard server for an account."
    ),
    "guest_writes": _("Too many entries at once. Wait %(seconds)s s and send it again."),
    "guest_events": _("Too many events have been created from this network today. Try again later."),
    "command_reused": _("This was already sent with different content. Open the page and enter it again."),
    "conflict": _("Someone else entered this in the meantime."),
    "version_changed": _("This has changed since you read it. Read it again."),
    "tournament_exists": _("This event already exists."),
    "unknown_table": _("There is no such table."),
    "unknown_play": _("There is no such game or round."),
    "unknown_stage": _("There is no such stage."),
    "unknown_user": _("There is no such user. Use an invite for someone without an account."),
    "unknown_role": _("There is no such role."),
    "unknown_organiser": _("There is no such organiser."),
    "which_organiser": _("You organise for several. Choose one: %(allowed)s."),
    "unknown_tournament": _("There is no such event."),
    "unknown_token": _("There is no such access token."),
    "token_exists": _(
        "This access token has already been created. If you did not save its secret, revoke it "
        "and create another."
    ),
    "played_all": _("%(player)s has played as many games here as anyone may."),
    "too_many_tokens": _("You already have %(most)s access tokens. First revoke one that you do not use."),
    "unknown_announcement": _("There is no such announcement."),
    "unknown_screen": _("There is no such screen."),
    "unknown_scene": _("A screen cannot show this."),
    "no_scene": _("Choose at least one."),
    "too_many_announcements": _("%(most)s announcements are up already. Take one down first."),
    "announcement_down": _("This announcement has already been taken down."),
    "too_many_screens": _("An event can have at most %(most)s screens. Remove one first."),
    "unknown_season": _("There is no such season."),
    "too_many_seasons": _("You have %(most)s seasons already. Remove one first."),
    "rehearsal_in_season": _("A rehearsal does not count, so it cannot be in a season."),
    "season_dates": _("The last day is before the first. Change one of them."),
    "unknown_tie": _("A season has no such tie-break."),
    "no_place_points": _("Write how many points the first place gets, the second and so on."),
    "place_points_wrong": _("Write at most %(most)s whole numbers from 0 to %(points)s."),
    "place_points_rise": _(
        "A later place has more points than an earlier one. Write the points of the first place first."
    ),
    "season_sum_lowest": _(
        "Where fewer points are better, a sum is fair only over equally many evenings. Choose how many of the best "
        "evenings count, and ask for at least as many."
    ),
    "webhooks_off": _("This Lastcard server sends no webhooks. Its operator has switched them off."),
    "unknown_webhook": _("There is no such webhook."),
    "unknown_webhook_kind": _("A webhook cannot report this."),
    "no_webhook_kind": _("Choose at least one."),
    "too_many_webhooks": _("An event can have at most %(most)s webhooks. Remove one first."),
    "webhook_address": _("Use https:// at the beginning of the address."),
    "webhook_https": _("Use https://"),
    "webhook_private": _("This address is not public. The operator of this Lastcard server can allow it."),
    "webhook_rests": _("This webhook is paused or switched off. Switch it on first."),
    "unknown_delivery": _("There is no such message."),
    "unknown_setting": _("This kind of stage does not have this setting. It has: %(allowed)s."),
    "unknown_time_zone": _("There is no such time zone."),
    "wrong_kind_of_stage": _("These rules or this stage do not allow this."),
    "stage_not_running": _("This stage is not being played now."),
    "stage_not_planned": _("This stage has already begun."),
    "stage_exists": _("This stage already exists."),
    "play_exists": _("This was entered at another table."),
    "wait_for_predecessor": _("Enter number %(next)s first."),
    "game_not_running": _("This game is not running."),
    "game_over": _("This game ended at %(at)s: %(ended)s. Correct it if that is wrong."),
    "another_game_running": _("Another game is running at this table. End it first."),
    "next_game_began": _("The next game has begun. Correct this one instead."),
    "player_in_game": _("%(player)s is already playing another game."),
    "joined_too_late": _("Someone has already gone out, so nobody can join this game any more."),
    "entered_already": _(
        "Someone with this name is already entered. Choose them from the list, or add an initial "
        "if this is someone else."
    ),
    "not_warned": _("%(player)s has not been warned. Nobody is ejected without a warning."),
    "nothing_to_take_back": _("There is nothing to undo here."),
    "no_round_yet": _("No round has been entered yet, so there is nothing to stop."),
    "nobody_to_play": _("Fewer than two players are still here. Let someone back in first."),
    "match_not_stopped": _("This match was not stopped."),
    "heat_recorded": _("This table’s heat is already entered. Correct it instead."),
    "missing_reason": _("Write a reason."),
    "not_a_number": _("Write a whole number from %(least)s to %(most)s, or leave it empty."),
    "number_too_large": _("There can be at most %(most)s."),
    "missing_time": _("Write when %(player)s went out, in minutes and seconds."),
    "long_sheet": _(
        "An event holds at most %(most)s games, rounds or heats. This sheet has %(rows)s. Shorten"
        " it, or keep it as a file."
    ),
    "too_many_at_once": _("At most %(most)s players at a time. Split the list."),
    "void_in_sheet": _("A void game cannot be included. Remove it first."),
    "not_a_moment": _("Choose the day and the time."),
    "time_twice": _("The clocks show this time twice on this night. Choose which one."),
    "time_skipped": _("The clocks skip this time on this night. Choose the time before or after."),
    "not_on_event_days": _("Choose a time in the four weeks from the event’s date, or change that first."),
    "start_in_future": _("This time is still to come. Choose when the game began, or leave it empty."),
    "end_in_future": _("The game would not be over yet. Choose an earlier time, or leave it empty."),
    "elapsed_in_future": _("The game has not run that long yet. Write an earlier time."),
    "start_not_asked": _("Someone has chosen or corrected this start in the meantime."),
    "start_before_stage": _("The session began at %(at)s. Choose a later time, or leave it empty."),
    "not_a_time": _("Write minutes and seconds, from 0:00 to 60:00."),
    "missing_outcome": _("Enter how the game ended for %(player)s."),
    "missing_ending": _("Enter how the game ended."),
    "duplicate_order": _("Two players cannot have the same number, %(number)s."),
    "nobody_chosen": _("Choose a player."),
    "already_void": _("This is already void."),
    "unknown_version": _("There is no such version."),
    "version_running": _("The game was not over in that version."),
    "same_version": _("Nothing to change. It says that already."),
    "other_players": _("That table has other players."),
    "set_aside_undecided": _("Number %(number)s at table %(table)s is on hold. Correct it or leave it out."),
    "already_out": _("%(player)s is already out."),
    "not_out": _("This player is not out."),
    "not_in_event": _("%(player)s is not in this event yet."),
    "not_expected": _("%(player)s is no longer expected. They are already here, or out of the event."),
    "has_played": _("%(player)s has already played here. Mark them as left instead."),
    "entered_twice": _("That player is already entered here. Merge the two entries."),
    "both_entered": _(
        "%(player)s and another of them are both entered in %(event)s, so they are two people. Only if one of "
        "these entries is a mistake, cancel it there first."
    ),
    "no_other_event": _("This player was in no other event, so there is nobody to tell them apart from."),
    "in_running_game": _("%(player)s is playing. In that game, record that they gave up or were ejected."),
    "ejected_in_game": _("This player was ejected in a game. Correct that game instead."),
    "target_locked": _("A round has been entered, so the target can no longer be changed."),
    "settings_locked": _("Play has started, so the settings are locked."),
    "too_many_card_texts": _("The deck has only %(most)s Customizable cards."),
    "changed_by_other": _("Somebody has changed this to “%(value)s” meanwhile. Save again to keep yours."),
    "emptied_by_other": _("Somebody has emptied this meanwhile. Save again to keep yours."),
    "seats_changed": _("These seats have changed since you opened this page. Check them again."),
    "game_running_here": _("A game is running at table %(table)s. Change its seats when the game is over."),
    "table_has_begun": _("Play at table %(table)s has begun. Its seats cannot be changed."),
    "seated_elsewhere": _("%(player)s sits at another table."),
    "number_taken": _("Table %(table)s already exists."),
    "table_twice": _("Table %(table)s is named twice. Give each table its own number."),
    "same_two": _("Choose two different players."),
    "apart_already": _("These two are already kept apart."),
    "unknown_pair": _("These two are no longer kept apart."),
    "not_seated": _("This player does not sit at this table."),
    "same_player": _("The oldest and the youngest cannot be the same player."),
    "illegal_move": _("The stage is %(state)s, so this cannot be done now."),
    "frozen_already": _("These standings are already frozen."),
    "not_frozen": _("These standings are not frozen."),
    "frozen_by_earlier": _("Reveal the previous stage first. It is frozen too."),
    "reveal_begun": _("The reveal has already begun."),
    "reveal_not_begun": _("The reveal has not begun, or the stage has been reopened since."),
    "revealed_already": _("Someone else has already revealed this. %(left)s to go."),
    "clock_runs": _("A clock is already running. Stop it first, or give it more minutes."),
    "clock_over": _("The time is up. Stop the clock first, or give it more minutes."),
    "no_clock": _("No clock is running here."),
    "break_passed": _("Choose a time in the next 12 hours."),
    "no_tables": _("Seat the players first."),
    "game_running": _("A game is still running."),
    "match_not_over": _("The match is not over. Play on, or stop it."),
    "heats_open": _("Finish %(heats)s first. Who plays here depends on the result."),
    "source_itself": _("A stage cannot take its own players. Choose another stage."),
    "source_twice": _(
        "These players of %(stage)s are chosen twice. Write one number for all of them, or choose others."
    ),
    "source_circle": _("These stages take players from each other in a circle. Choose an earlier stage."),
    "source_count": _("Write how many go through from %(stage)s."),
    "more_through": _("%(count)s cannot go through from %(stage)s: only %(players)s play for these places."),
    "lives_later": _("Lives are counted from where players begin. Write them at that stage."),
    "nothing_shared": _("Nobody shares a place at the cut."),
    "heat_missing": _("Table %(table)s has no result yet."),
    "play_unaccepted": _("%(play)s is not confirmed yet. Another referee or the players must confirm it."),
    "play_contested": _("%(play)s is contested. Correct it, or let another referee confirm it."),
    "own_entry": _("You entered this yourself. Another referee or the players must confirm it."),
    "changed_meanwhile": _(
        "%(play)s has changed in the meantime. Check it, then decide about the others again."
    ),
    "nothing_to_accept": _("This is not waiting for confirmation."),
    "looked_at_already": _("This is already waiting for confirmation."),
    "too_late_to_accept": _(
        "Players can answer for %(minutes)s minutes after a result is entered. Call a referee if "
        "something is wrong."
    ),
    "entered_meanwhile": _("A referee entered this in the meantime. Look at the table again."),
    "proposed_meanwhile": _(
        "Another phone at this table has proposed a different result, shown below. Send yours again to "
        "replace it."
    ),
    "proposal_exists": _("This has already been proposed."),
    "proposal_gone": _("This proposal is no longer waiting. Check the table again."),
    "next_stage_began": _("The next stage has begun, so who goes through can no longer be changed."),
    "heats_not_finished": _("Finish the stages first from which players come here."),
    "no_heats": _("No players come here from another stage. Seat the players yourself."),
    "cannot_keep_apart": _("Players who are kept apart do not all fit at different tables."),
    "places_open": _("Decide who goes through from %(where)s, or leave the place open."),
    "nothing_to_decide": _("Nothing to change. The seats already follow the results and the decisions."),
    "no_free_seat": _("No seat is free. Remove someone first."),
    "comes_already": _("%(player)s is already through."),
    "level_stays": _(
        "Stage %(stage)s has seats or has begun, so it cannot be changed. Empty its seats first."
    ),
    "no_levels": _("Plan 1 to %(most)s stages."),
    "nothing_to_publish": _("There is nothing new to publish."),
    "nobody_through": _("At least two players must go through."),
    "unknown_point": _("There is no such item on the checklist."),
    "ticked_already": _("This is already ticked off."),
    "not_ticked": _("This is not ticked off."),
    "too_many_asks": _("Other phones are already asking. Wait until they are answered, or scan the QR code."),
    "ask_gone": _("This phone is no longer asking."),
    "unknown_link": _("This link no longer works."),
    "unknown_invite": _("There is no such invite. Scan the code again, or ask for a new one."),
    "invite_exists": _("This invite already exists."),
    "invite_revoked": _("This invite was withdrawn. Ask the organiser for a new one."),
    "invite_expired": _("This invite has expired. Ask the organiser for a new one."),
    "invite_used_up": _("This invite is used up. Ask the organiser for a new one."),
    "event_over": _("This event is over."),
    "tables_of_referee": _("Only a table referee can be limited to certain tables."),
    "expiry_out_of_range": _("Choose a time in the future, at most %(days)s days ahead."),
    "expiry_after_token": _("The access token that you use ends at %(at)s (UTC). Choose an earlier time."),
    "no_referees": _("No table referee covers every table yet. Invite referees first."),
    "referees_posted": _("Every table already has a referee."),
    "registration_closed": _("Registration is closed. Ask the organiser whether there is still a place."),
    "name_taken": _("The nickname %(player)s is taken in this event. Choose another."),
    "name_locked": _("Play has begun, so the nickname cannot be changed. Tell a referee if it is wrong."),
    "not_a_birth_date": _("That cannot be a player’s birth date. Correct it, or leave it empty."),
    "ends_before_it_begins": _("The end must come after the beginning."),
    "not_asking": _("%(player)s is no longer asking to take part."),
    "not_waiting": _("%(player)s is no longer on the waiting list."),
    "not_now": _("Your status in this event does not allow this."),
    "check_in_closed": _("Self check-in is closed. Ask at the desk."),
    "play_has_begun": _("Play has begun. Ask a referee."),
    "not_listed": _("The people who run this Lastcard server choose whose events are listed."),
    "rehearsal_not_listed": _("A rehearsal is never shown in the list of tournaments."),
    "already_played": _("Something has been played here, so the event cannot be deleted. Hide it instead."),
    "played_already": _(
        "This is fixed once something has been played or a ruling given. Copy the event instead."
    ),
    "not_put_away": _("This event is not hidden."),
    "unknown_incident": _("There is no such penalty or note."),
    "incident_exists": _("This penalty or note already exists."),
    "already_withdrawn": _("This has already been withdrawn."),
    "ejection_stands": _("The ejection still counts. Undo it where it was entered, and this goes too."),
    "unknown_penalty": _("These rules have no such penalty."),
    "missing_ruling": _("Write what you decided."),
    "missing_votes": _("Count the yes and no votes."),
    "too_many_votes": _("There are only %(most)s players here. Count the votes again."),
    "missing_oldest": _("The vote is tied. What does the oldest player say?"),
    "called_already": _("Someone at this table has already called a referee."),
    "unknown_call": _("Nobody is calling a referee any more."),
    "answered_already": _("Someone has already answered this call."),
    "no_picture": _("This is not a picture. Choose a PNG, JPEG, WebP or GIF file."),
    "picture_too_large": _("The picture is too large. Choose one of at most 2 MB and 16 million pixels."),
    "slug_taken": _("The address %(slug)s is taken. Choose another."),
    "results_brought_in": _("This event has its results from a file. Undo that first, or add another event."),
    "brought_in_twice": _("This player already has a result from a file."),
    "both_brought_in": _(
        "Both have a result from a file. Undo bringing it in, and bring it in again with one row for them."
    ),
    "entry_in_use": _("%(player)s has a seat or has played. Mark them as left instead."),
    "last_organiser": _("An event needs at least one organiser."),
    "unknown_row": _("There is no such entry in the ledger."),
    "too_old": _("This was done more than a day ago, so it can no longer be undone."),
    "cannot_be_undone": _("This cannot be undone here. %(why)s"),
    "already_undone": _("%(who)s already undid this at %(at)s (row %(number)s)."),
    "changed_since": _("Since then %(who)s %(did)s at %(at)s (row %(number)s). Undo that first."),
    "in_use_since": _("This has been used since. %(who)s %(did)s at %(at)s (row %(number)s)."),
    "does_not_fit": _("This cannot be restored, since it does not fit what is there now."),
    "field_required": _("Fill this in."),
    "field_blank": _("Fill this in."),
    "field_null": _("Fill this in."),
    "field_private": _("Everyone will see “%(value)s”. Is that right?"),
    "field_invalid": _("This value is not valid. Check it."),
    "field_invalid_choice": _("Choose one from the list."),
    "field_max_length": _("At most %(limit_value)s characters. There are %(show_value)s now."),
    "field_min_value": _("At least %(limit_value)s."),
    "field_max_value": _("At most %(limit_value)s."),
    "field_unique": _("This is already in use. Choose another."),
    "field_unique_together": _("This is already in use. Choose another."),
    "field_constraint": _("This conflicts with what is already there."),
    # registering: terms, questions, answers; and merging entries
    "too_many_questions": _("At most %(most)s questions."),
    "too_few_options": _("Write %(least)s to %(most)s options, one per line."),
    "options_uneven": _("Write %(n)s lines, as many as in the event’s language."),
    "option_twice": _("The same option is listed twice."),
    "answers_would_go": _(
        "Players have answered a question that you are removing or changing to another kind. Tick"
        " below to erase their answers (%(n)s), or put the question back."
    ),
    "answer_missing": _("Answer this to take part."),
    "answers_locked": _("Play has begun, so answers cannot be changed."),
    "not_an_option": _("Choose one of the options."),
    "terms_not_accepted": _("Tick this to take part."),
    "guardian_missing": _("Players under 18 need a guardian’s consent. Tick this when you have it."),
    "guest_players": _(
        "This event is full. Without an account it can have at most %(most)s players. The "
        "organiser can ask the people who run this Lastcard server for an account."
    ),
    "too_many_unseen": _(
        "So many have registered that the organiser must check first. Tell the organiser, or try again later."
    ),
    "both_played": _(
        "Both have a result in %(stage)s (%(play)s). If one of the two is wrong, correct or void it. If "
        "not, they are two people."
    ),
    "keep_removed": _("%(player)s was removed by the referees. Keep that entry."),
    "other_plays_on": _(
        "%(player)s is out, and the other one is still playing. Let %(player)s back in, or mark the other"
        " one as left."
    ),
}

FAULTS = SHEET_FAULTS | ACTION_FAULTS
# `elapsed_over_limit` of the game's clock, not of a player's time.
CLOCK_OVER_LIMIT: Text = _(
    "The clock would show %(time)s. It can only show 0:00 to 60:00. Enter a shorter time."
)
OTHER_KIND: Text = _("This needs another kind of stage: %(allowed)s.")
TARGET_TOO_LOW: Text = _("The target must be at least %(least)s. Choose another.")

# Blocked by another play: the way out
WAYS_OUT: dict[str, Text] = {
    "disqualified_plays": _(
        "%(player)s was ejected earlier (%(play)s). Leave them out, or enter when this game began"
        " if that was before."
    ),
    "removed_plays": _("%(player)s is already out (%(play)s). Leave them out, or let them back in first."),
    "already_out": _("%(player)s is already out (%(play)s). Correct it there."),
    "match_over": _("The match is over (%(play)s). Correct that first, or leave this round out."),
    "missing_hand": _(
        "%(play)s was played without %(player)s. Void it, let %(player)s back in, then correct it"
        " with their cards."
    ),
}

# Why an action cannot be undone (`Undo` in permissions.py)
WHY_NOT: dict[str, Text] = {
    "at_table": _("Open the table, and correct or void the entry on its own page."),
    "come_back": _("Mark players as left, or let them back in, on the player’s page."),
    "again": _(
        "The ledger does not keep names and texts. Open the page where it was entered and enter it again."
    ),
    "whole_event": _("This created the whole event, so it cannot be undone. Delete the event instead."),
    "names_gone": _("The names were deleted too, and the ledger does not keep them. Enter them again."),
    "links": _("People already have the links. Create new ones instead."),
}


MOST_BELOW_LEAST = _("Fewer games than a place needs. Allow more, or ask for fewer.")


class _Parameters(dict[str, Any]):
    """A missing parameter becomes "…"."""

    def __missing__(self, key: str) -> str:
        return "…"


def fault_text(fault: Fault, names: Mapping[str, str] | None = None) -> str:
    """Text of a fault. `names`: public names by entry uid."""
    parameters, names = _Parameters(fault.parameters), names or {}
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
    if {"at", "time_zone"} <= parameters.keys():
        at = datetime.fromisoformat(str(parameters["at"])).astimezone(ZoneInfo(str(parameters["time_zone"])))
        parameters["at"] = (
            date_format(at, "DATETIME_FORMAT") if fault.code == "expiry_after_token" else to_the_minute(at)
        )
    if "did" in parameters:
        parameters["did"] = action_name(str(parameters["did"]))
    if "ended" in parameters:
        parameters["ended"] = str(dict(Play.Ended.choices).get(parameters["ended"], ""))
    if "why" in parameters:
        parameters["why"] = WHY_NOT.get(str(parameters["why"]), "")
    text = texts.get(fault.code, FAULTS["malformed"])
    if fault.code == "target_out_of_range" and "most" not in parameters:
        text = TARGET_TOO_LOW
    if fault.code == "wrong_kind_of_stage" and (allowed := str(parameters.get("allowed", ""))):
        text = OTHER_KIND
        parameters["allowed"] = ", ".join(inside(str(Stage.Kind(kind).label)) for kind in allowed.split(", "))
    if fault.code == "malformed" and fault.path.endswith("/max_games"):
        text = MOST_BELOW_LEAST
    elapsed = parameters.get("elapsed_s")
    if fault.code == "elapsed_over_limit" and fault.path == "/elapsed_s" and isinstance(elapsed, int):
        text = CLOCK_OVER_LIMIT
        parameters["time"] = ("−" if elapsed < 0 else "") + clock_text(abs(elapsed))
    return str(text) % parameters


def card_name(card: str, ruleset: Ruleset | None = None) -> str:
    """Card name on the ruleset's sheet, else the usual one."""
    own = ruleset.card_names.get(get_language() or "", {}) if ruleset else {}
    return own.get(card) or str(CARDS.get(card) or TOGETHER.get(card, card))


def ruleset_name(ruleset: str) -> str:
    """Ruleset name; the id if unknown."""
    known = RULESETS.get(ruleset)
    return ruleset if known is None else known.names.get(get_language() or "", known.name)


def table_text(stage: object, number: int) -> str:
    """Table with its stage: "Final, table 2"."""
    return gettext("%(stage)s, table %(number)d") % {"stage": stage, "number": number}


def action_name(action: str) -> str:
    """Ledger action in words; its name if unknown."""
    return str(ACTIONS[action].says) if action in ACTIONS else action


def drawn_text(action: str, note: str) -> str:
    """Text of a ledger row's note that is a draw's seed, or ""."""
    return str(_("drawn with the seed %(seed)s")) % {"seed": note} if note and action == "seat_stage" else ""
