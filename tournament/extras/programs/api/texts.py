"""Operation texts for the OpenAPI document; command summaries are in `writes`. "Refused:" lists 422 codes."""

from collections.abc import Mapping

from rulesets import CARDS, RULESETS

# Reads by URL name: summary, description.
READS: Mapping[str, tuple[str, str]] = {
    "me": (
        "The user, the token, the roles and the organisers",
        "Those of the token's user; a token for one event has only those there.",
    ),
    "tokens": (
        "Your access tokens",
        "The newest first, also those that have ended. A token for one event finds those for that event.",
    ),
    "access": ("Revoke an access token", "It ends at once."),
    "score": (
        "Score a sheet, without storing it",
        "docs/score-sheet.md describes the format; every stage's sheets use it.",
    ),
    "tournaments": (
        "Listed events, and those of the user",
        "The newest first; `state=running` finds those that are played now. A token for one event finds only that one.",
    ),
    "tournament": ("One event", "Unlisted events are found too, by anyone who knows the uid."),
    "entries": (
        "The players of an event",
        "By start number. Those who run the event also find players who ask to take part, wait or cancelled.",
    ),
    "entry": ("One player of an event", "The same as in the list."),
    "past_results": (
        "Results that were brought in from a file",
        "By place, for an event that was played without Lastcard. No plays stand behind them.",
    ),
    "stages": ("The stages of an event", "In order."),
    "stage": ("One stage", "The same as in the list."),
    "tables": ("The tables of a stage, with their players", "In the order of their numbers."),
    "table": ("One table", "The same as in the list."),
    "plays": (
        "The games, rounds or heats of a stage",
        "By version, so what was written last comes last. Plays that one command wrote have the same version.",
    ),
    "play": ("One game, round or heat", "Send its ETag as If-Match to change it."),
    "standings": (
        "The standings of a stage",
        "`standings` has everyone's line with their name, for a scoreboard. `contests` has the result of each score "
        "sheet, with every game, round or heat. While standings are frozen, the public gets them as they were; those "
        "who run the event get the current ones.",
    ),
    "sheets": (
        "The score sheets of a stage",
        "One for each contest: everything that its standings follow from.",
    ),
    "programme": (
        "The programme of an event",
        "Empty before it is published, except for those who run the event.",
    ),
    "clock": ("The hall's clock", "The clock that every page and big screen shows."),
    "incidents": (
        "Penalties, warnings, disputes and rulings",
        "For referees: those who run the event find all, others those of their own tables.",
    ),
    "incident": ("One incident", "The same as in the list."),
    "ledger": (
        "Who did what",
        "For head referees and organisers: one row for each accepted command, chained by digests. Only organisers see "
        "who is kept apart, and the draws that depend on it (tokens need the scope `organise`); others find {} there.",
    ),
    "calls": (
        "Calls for a referee",
        "In the order in which they were made. Table referees find those of their own tables.",
    ),
    "proposals": (
        "Results that players have proposed",
        "In the order in which they were made. Table referees find those of their own tables.",
    ),
    "screens": ("The big screens and what they show", "For organisers."),
    "roles": ("Who has which role", "For organisers."),
    "invites": (
        "Invites: links that give a role",
        "For organisers. Anyone with the link can take the role, so reading them needs the scope of giving one.",
    ),
    "apart": ("Players who are kept apart", "Only organisers know of them."),
    "checklist": ("The ticked items of the checklist", "For head referees and organisers."),
    "registration": (
        "How players register, and the terms that they accept",
        "Closed for an event that never opened registration.",
    ),
    "announcements": (
        "The announcements",
        "Newest first. An announcement is shown until `until` or until it is taken down; if `until` is null, until it "
        "is taken down.",
    ),
}

# Commands by action.
WRITES: Mapping[str, str] = {
    # Events
    "plan_event": "The event's uid is the command's id. `stages` are planned in their order. Without `organiser` and "
    "`organiser_name` the event is your organiser's, or a new one's in your name. Refused: `which_organiser` if you "
    "have several and none has your name, or several of this `organiser_name`; `unknown_ruleset`, "
    "`wrong_kind_of_stage`, `unknown_setting`. Unless its `second_look` is false, each result of a final needs the "
    "confirmation of another person than the one who entered it, so one user's token alone cannot finish it.",
    "copy_event": "The copy has the place, language, rules, stages, screens and terms of the event; registration is "
    "closed. `players` enters its players too, `roles` gives the same people their roles.",
    "edit_tournament": "In another time zone its planned times stay as people read them, and the programme moves with "
    "the date. `doors_at` and `starts_at` are times of day, `18:00`, or empty. `logo` is a picture in base64 (PNG, "
    "JPEG, WebP or GIF); an empty one removes it. Refused: `slug_taken`, `rehearsal_not_listed`, `not_listed`, "
    "`no_picture`, `picture_too_large`.",
    "put_away": "Only its organisers' list still has it, and it takes no command but `bring-back`.",
    "bring_back": "It is exactly as it was. Refused: `not_put_away`.",
    "set_decks": "How many decks of cards there are; null if nobody counts them.",
    "tick": "Refused: `unknown_point`, `ticked_already`.",
    "untick": "Refused: `not_ticked`.",
    "undo": "Everything that the row of this `sequence` changed gets its previous facts back; names stay as they are "
    "now. An undo can be undone too. It needs the role of the command that is undone. Results are not undone here: "
    "`revert`, a correction or `void` puts them right, and `readmit` takes back a departure. Refused: `unknown_row`, "
    "`cannot_be_undone` and others that say why.",
    "set_registration": "`most` is how many places there are, null for no limit; if places become free, the first of "
    "the waiting list move up. Times are moments, null for none.",
    "set_programme": "The plans of these stages; what was published first is kept. Refused: `unknown_stage`, "
    "`not_on_event_days`.",
    "publish_programme": "Later changes are marked on the programme's page. Refused: `nothing_to_publish`.",
    # Roles
    "grant_role": "At one `table`, or in the whole event. Refused: `unknown_user`, `unknown_table`.",
    "revoke_role": "Refused: `unknown_role`, `last_organiser` for the only organiser's.",
    "create_invite": "Until `expires_at` anyone with its link can take the role, `most` people at most. `tables` are "
    "those of a table referee; none means all. `label` says who it is for.",
    "revoke_invite": "Nobody can accept it any more; `with_roles` also removes the roles that it gave.",
    "place_referee": "The user referees exactly these `tables` of the unfinished stages. Refused: `unknown_user`, "
    "`unknown_table`, `same_version`.",
    "post_referees": "Every table without a referee of its own gets one of the event's, starting with the one with the "
    "fewest tables. Refused: `no_referees`, `no_tables`, `referees_posted`.",
    # Announcements
    "announce": "Texts by language, shown to everyone for this many `minutes`, or until it is taken down. Refused: "
    "`too_many_announcements`.",
    "take_down": "Refused: `unknown_announcement`, `announcement_down`.",
    # Screens
    "add_screen": "It shows a welcome until something else is chosen. Refused: `too_many_screens`.",
    "set_screen": "Its `scenes` in rotation, each page for this many `seconds`, about one `stage` or (null) the one "
    "that matters now.",
    "remove_screen": "A device that shows it says so.",
    # The hall's clock
    "start_hall_clock": "This many `minutes` from now, with the last hand called `last_hand` minutes before the end. "
    "This ends a break. Refused: `wrong_kind_of_stage` if games have clocks of their own, `stage_not_running`, "
    "`clock_runs`.",
    "pause_hall_clock": "A running clock stops; without one, a break begins. `goes_on_at` says when play resumes, if "
    "that is known; during a pause it changes that time. Refused: `clock_over`, `break_passed`.",
    "resume_hall_clock": "It has as many minutes left as when it was paused; a break ends. Refused: `no_clock`, "
    "`clock_runs`.",
    "extend_hall_clock": "Counted from the end, or from now if the time is up; a break lasts longer.",
    "stop_hall_clock": "It is gone from every page. Refused: `no_clock`.",
    "give_table_minutes": "How many minutes longer than the hall it plays, in total; 0 ends that. Refused: `no_clock`.",
    # Players
    "enter_players": "All or none. A minor without a nickname is shown as a number, and start numbers that are left "
    "out continue the sequence. `player` is a known player of the same organiser; `another` says that this is nobody "
    "of similar name. The answer's `entries` are the new uids, in this order.",
    "walk_in": "Entered and checked in; with a `table` also seated there, last. The limits of registration do not "
    "apply. Refused: `table_has_begun`.",
    "check_in": "Players who are out stay out: see `readmit`.",
    "take_back_check_in": "They are expected again. Refused: `has_played`.",
    "mark_paid": "With `paid` false: they did not.",
    "no_show": "They lose their seats in stages that have not begun, and are out from the next play of each running "
    "table. `readmit` undoes it. Refused: `not_expected`, `has_played`.",
    "approve_entries": "They already hold places, so all of them take part. Refused: `not_asking`.",
    "merge_entries": "`keep` takes over what only `other` knows, and everything that names it: seats, plays, "
    "penalties. Refused: `both_played` if both have results in one contest, `game_running`, `keep_removed`, "
    "`other_plays_on`.",
    "keep_apart": "From the next draw on they sit at different tables. Refused: `same_two`, `apart_already`.",
    "no_longer_apart": "Refused: `unknown_pair`.",
    "join_people": "Each of the `groups` is one person, named by `private.player.uid` of entries. All entries in the "
    "organiser's events go to the first of a group, whose empty details are filled. It is for those who run the "
    "organiser, not for organisers of one event by an invite. Refused: `unknown_player`, `same_two`, `both_entered` "
    "for two entries in one event.",
    "part_people": "Takes back the join of the row of this `sequence`, in all events: entries that are still of the "
    "joined person go back. Refused: `unknown_row`.",
    "edit_entry": "The new public name is shown everywhere; the real name stays as it was, also if it was the same. An "
    "empty `real_name` is the same as the public one; the answer has it, the birth date, the contact and the guardian "
    "in `private`, and PUT takes them from there too. A player who turns out to be a minor is shown as a number, "
    "unless they have a nickname.",
    "withdraw_entry": "The player goes too, if no other entry is theirs. Refused: `entry_in_use` once they have a seat "
    "or a result.",
    "same_person": "`player` is one of the organiser's earlier events; its empty details are filled in. Refused: "
    "`unknown_player`, `entered_twice`.",
    "different_people": "They are not suggested as one person again in any of the organiser's events.",
    "part_person": "The entry becomes another person, by its public name. Refused: `no_other_event`.",
    "comes_late": "They keep their seats. Refused: `not_expected`.",
    "player_leaves": "Withdrawn in a running match, without loss in a session.",
    "remove_player": "By the referees' decision: listed last without a place, as disqualified, from the next play of "
    "each running table on. `code` is a row of the ruleset's penalties, `table` where the referee stands. Refused: "
    "`in_running_game`, which an ejection ends.",
    "readmit_player": "They are here again, and in at every running table where they sit; a seat that was freed is not "
    "restored. Refused: `not_out`, `ejected_in_game`, `missing_hand` where a round was played without them, which is "
    "voided first and corrected afterwards.",
    "decline_entry": "The place goes to the first of the waiting list. Refused: `not_asking`.",
    "take_from_waiting": "Before their turn, and beyond the limit if necessary. Refused: `not_waiting`, `name_taken`.",
    "renew_link": "Links that they were given before end.",
    # Stages
    "plan_stage": "After those that are planned. `card_texts` are what the Customizable cards say; with `second_look` "
    "each result needs a second person's confirmation. `source` says where its players come from, as in the answer. "
    "Refused: `wrong_kind_of_stage`, `unknown_stage`, `source_twice`, `source_circle`, `source_count`, "
    "`more_through`.",
    "set_levels": "All stages in their order: existing ones by their `stage`, others are planned. Those that are not "
    "named are removed. A stage that has seats or has begun must stay as it is. Refused: `level_stays`, `no_levels`.",
    "set_stage_settings": "The target, the scoring, the decks, the `source` and so on, until the stage starts. "
    "Refused: `settings_locked`, `target_out_of_range`, `scoring_not_allowed`, `source_twice`, `source_circle`, "
    "`more_through`.",
    "choose_target": "For a ruleset that fixes none, even after the start. Refused: `target_locked` once a round was "
    "entered.",
    "start_stage": "Its settings are locked. Refused: `no_tables`, `too_few_players`, `heats_open`, `missing_target`.",
    "finish_stage": "Its results become official, and after the last stage the event's. `without` are numbers of "
    "tables whose heat has no result, with the `reason`. Refused: `unknown_table`, `match_not_over`, `heat_missing`, "
    "`game_running`, `play_unaccepted` (see `accept`), `play_contested`, `set_aside_undecided`.",
    "reopen_stage": "For a correction. A reveal ends: standings are frozen as before it.",
    "let_players_time": "The oldest player at a table without a referee runs it by the table's code, and proposes the "
    "result. Refused: `wrong_kind_of_stage`.",
    "ask_second_look": "Of results that are entered from now on; another person than the one who entered a result has "
    "to confirm it (`accept`) before the stage can finish. `second_look` false needs a `reason` and also "
    "ends the wait of earlier results. Refused: `missing_reason`.",
    "freeze_standings": "The public sees this stage, and those after it, as they are now. Refused: `frozen_already`.",
    "begin_reveal": "It shows the players without a place, of heats nothing; `reveal/next` shows the rest. Refused: "
    "`not_frozen`, `frozen_by_earlier`, `reveal_begun`.",
    "reveal_next": "From the last place to the first; the last step ends the freeze. `left` is how many steps were "
    "left, so that two taps reveal only one. Refused: `reveal_not_begun`, `revealed_already`.",
    "lift_freeze": "If an earlier stage is frozen, as it was then. Refused: `not_frozen`.",
    # Seats
    "seat_stage": "All tables: those that are not named are removed, and those with the same seats are not touched, "
    "even if play there has begun. `seed` is that of the draw, if it was drawn. The answer's `tables` are their uids. "
    "Refused: `table_has_begun` (in a session, only for a table that would go), `table_twice`.",
    "seat_table": "Clockwise. Seats may change between the games of a session; elsewhere they stay once play has "
    "begun. Refused: `table_has_begun`, `game_running_here`, `seated_elsewhere`, `number_taken`, `already_out`.",
    "fill_stage": "With a `seed` drawn so that people from one table meet as little as possible, otherwise dealt round "
    "table by table. Open places are taken by `decided` players or, with `leave_open`, by nobody; both need a "
    "`reason`. Refused: `heats_not_finished`, `places_open`, `duplicate_player`, `cannot_keep_apart`.",
    "name_reserves": "The first one first; they replace earlier reserves. Refused: `comes_already`, `already_out`.",
    "call_reserve": "A reserve, or another player who is let in. Refused: `no_free_seat`, `seated_elsewhere`.",
    "plan_tie_break": "Those who share the last place play for it: heats of their own, whose first out go through to "
    "this stage too. Refused: `nothing_shared`, `heats_not_finished`.",
    "keep_finalists": "Seated players are through by decision, and those who would replace them step back. Refused: "
    "`nothing_to_decide`.",
    "swap_finalist": "`enters` gets the seat of `out`; nobody does if it is left out. Where play has begun, `anew` "
    "voids everything that was played there. Refused: `table_has_begun`, `seated_elsewhere`, `too_few_players`.",
    "name_roles": "Refused: `not_seated`, `same_player`.",
    "renew_link_of_table": "Codes of the table that were given out before end.",
    # Games, rounds, heats
    "record_round": "`hands` are the cards left, by the entry's uid. `last_cards` are the cards played last, `drew` "
    "who drew for them; `removed` and `withdrawn` players are out from this round on, `emptied` ones had their hand "
    "emptied by a Customizable card. 409 if the number is already entered.",
    "record_heat": "`finish_order` is who went out, first to last, at least as many as go through: `advance`, or the "
    "stage's setting. Refused: `heat_recorded`. 409 if the number is already entered.",
    "record_game": "`ended` is last, time or early, `started_at` when it began, if known. 409 if the number is already "
    "entered. Refused: `start_before_stage`, `start_in_future`, `end_in_future`.",
    "start_game": "With these `entries`; null for everyone who is seated and not out. Its clock began `elapsed_s` "
    "seconds before the tap, and the tap was `late_s` seconds ago. Refused: `player_in_game`, `too_few_players`, "
    "`start_before_stage`, `another_game_running`.",
    "stop_match": "The totals stand. Refused: `match_over`.",
    "resume_match": "Without players who left meanwhile. Refused: `match_not_stopped`, `nobody_to_play`.",
    "correct_round": "The whole round. Without `removed` or `withdrawn`, who is out from it on stays out; an empty "
    "list lets them in again. A void round counts again. Later rounds that become impossible are put on hold.",
    "correct_heat": "The whole heat. Without `removed` or `withdrawn`, who is out from it on stays out; an empty list "
    "lets them in again. A void heat counts again.",
    "correct_game": "The whole game: `results` as the play has them, without `uid` and `finish`. Without `started_at` "
    "its start is unchanged; null makes it unknown. A void game counts again.",
    "void_play": "It counts for nobody and can still be read; a correction makes it count again. Refused: "
    "`already_void`.",
    "leave_out_plays": "All or none, each of the `version` that was seen.",
    "revert_play": "As the ledger row `to` left it. Later versions stay readable.",
    "move_play": "It is entered at the table `to`, as the next play there, and void here. Refused: `other_players`.",
    "set_game_start": "`elapsed_s` seconds ago, or `earlier_s` seconds before its recorded start. Players who are out "
    "keep their time of day. Refused: `game_not_running`, `elapsed_over_limit`.",
    "choose_start": "`started_at` is one of the play's `started_at` and `other_start`. Refused: `start_not_asked`.",
    "join_game": "Before anyone has gone out. `public_name` is for someone who is not in the event yet: they are "
    "entered under the uid `entry`. Refused: `joined_too_late`, `player_in_game`, `entered_already`.",
    "record_out": "`elapsed_s` seconds after the start, or now. When one player is left, the game ends. Refused: "
    "`elapsed_over_limit`. 409 if the player is no longer in the game, or it is over (`game_over`).",
    "record_give_up": "`elapsed_s` seconds after the start, or now.",
    "eject_player": "From this game and the rest of the session, after a warning. `code` is a row of the ruleset's "
    "penalties.",
    "take_back": "The player is in the game again, and a game that had ended with it runs again. Refused: "
    "`nothing_to_take_back`, `next_game_began`.",
    "end_game": "For a game that `out` does not end by itself. `ended` is `time` (the hour is up) or `early`; `hands` "
    "are those of the remaining players. Name the game that you saw by If-Match, or by the players "
    "`remaining` in it. Refused: `missing_hand`, `deck_exceeded`. 409 with `game_over` if it is over.",
    # Confirmations, proposals, calls
    "ask_second_look_at": "Even if it was confirmed before. Refused: `looked_at_already`.",
    "accept_play": "As a second referee, so with another user's token than the result was entered with. Refused: "
    "`own_entry` for the one who entered it, `nothing_to_accept`.",
    "accept_plays": "All or none, as a second referee, each of the `version` that was seen. Refused: `own_entry`.",
    "contest_play": "It waits for a correction, or for another referee. Refused: `nothing_to_accept`.",
    "accept_proposal": "The referee enters it; `result` has its members, perhaps changed. It counts as confirmed. "
    "Refused: `proposal_gone`.",
    "decline_proposal": "The players read the `reason`. Refused: `proposal_gone`.",
    "call_referee": "Refused: `called_already`, `stage_not_running`.",
    "answer_call": "A referee is on the way. Refused: `answered_already`.",
    "take_back_call": "Nobody needs to come any more. Refused: `answered_already`.",
    # Incidents
    "record_penalty": "`code` is a row of the ruleset's penalties, or empty with a `text`. `cards` to draw are by "
    "default as many as the row says. Refused: `unknown_penalty`, `not_seated`, `missing_ruling`.",
    "warn_player": "`code` is the row that it is for, otherwise `text` says why.",
    "record_dispute": "`text` is the question. Where the ruleset puts it to a vote, the majority decides, in a tie the "
    "oldest player (`oldest_yes`); elsewhere the referee's `ruling` does.",
    "record_ruling": "A question and its `ruling`, at a `table` or for the whole event, which only a head referee "
    "rules for.",
    "withdraw_incident": "It stays readable and counts for nobody. Refused: `already_withdrawn`, `ejection_stands`.",
}

HAND = "How many cards of each kind. " + " ".join(
    f"The deck of `{ruleset.id}` has no {', '.join(f'`{card}`' for card in lacks)}."
    for ruleset in RULESETS.values()
    if (lacks := [card for card in CARDS if card not in ruleset.deck])
)
_PLAYED = (
    "Of a race's game: who played; by default everyone at the table who is not out. Elsewhere leave it out."
)
_BELL = (
    "Of a race's game, if the bell rang before anyone was out: `winner` is null then. Elsewhere leave it out."
)

# Descriptions of members of bodies, by action and member, else by member alone. "Required": refused without it.
MEMBERS: Mapping[str, str] = {
    "ask_second_look.reason": "Required with `second_look` false.",
    "choose_start.started_at": "`started_at` or `other_start` of the play.",
    "correct_game.started_at": "When it began, as a person says; null: nobody knows. Without it, the start stays.",
    "correct_round.ended": _BELL,
    "correct_round.entries": "Of a race's game: who played. Without it, they stay. Elsewhere leave it out.",
    "drew": "Who drew because of the cards played last. Required if these make someone draw; their hand has at least "
    "one card more than they drew.",
    "duration_s": "Seconds from start to end. Required with `ended` early, and with `ended` last if someone gave up or "
    "was ejected; otherwise it follows from the results.",
    "end_game.elapsed_s": "Seconds from start to end, with `ended` early; by default until now.",
    "end_game.hands": "The cards of each remaining player, by the entry's uid.",
    "end_game.remaining": "All players who are still in the game. Required without If-Match.",
    "fill_stage.reason": "Required with `decided` or `leave_open`.",
    "finish_stage.reason": "Required with `without`.",
    "hands": "The cards left, by the entry's uid: of everyone in play but the winner and `emptied` players.",
    "last_cards": f"The cards played last. Needed only if they make someone draw. {HAND}",
    "late_s": "How many seconds ago it was entered, by a clock: of what was stored until it could be sent.",
    "organiser": "One of your own: GET `me` lists them.",
    "organiser_name": "The name of one of your own, or of a new one.",
    "oldest_yes": "What the oldest player says. Required if the vote is tied.",
    "record_dispute.ruling": "What the referee decided. Required where the ruleset puts disputes to no vote.",
    "record_game.started_at": "When it began, as a person says. Refused with `start_before_stage` if its stage had not "
    "started then.",
    "record_penalty.ruling": "What the referees decided. Required for a penalty that is up to them.",
    "record_penalty.text": "What happened. Required with an empty `code`.",
    "record_round.ended": _BELL,
    "record_round.entries": _PLAYED,
    "start_game.elapsed_s": "What its clock showed at the start, as a person says. Refused with `start_before_stage` "
    "if it began before its stage.",
    "start_game.late_s": "How many seconds ago it was started, by a clock: of what was stored until it could be sent. "
    "If that is before its stage, its start is the stage's.",
    "votes_no": "Required where the ruleset puts disputes to a vote.",
    "votes_yes": "Required where the ruleset puts disputes to a vote.",
    "warn_player.text": "What for. Required without `code`.",
    "winner": "Who went out; null if the bell ended a race's game, or fewer than two players are left.",
}

AS_ANSWERED = " The answer of GET may be sent back: members that cannot be changed are ignored."
