// How people ask for the rules in English: see ../rule_search.js. A word of four letters or more also stands for those
// that begin with it; ~ finds it within a word; numbers are digits, and words that say nothing are left out of phrases.

export { stemmer } from "../../../vendor/orama-stemmers-3.1.18/en.js";

export const NUMBERS = { one: "1", two: "2", both: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" };

/** Words that say nothing about a rule, also not in a phrase. */
export const FILLER = `a an the can could may might shall should would will i you we he she they it its im is are was were be been being do does did
my your his her their our me him them us this that these those any some someone somebody anyone anybody if and or but so then just really please ok
okay like uh um hey still`;

/** Words that only say something in a phrase. */
export const FAINT = `even on in at to of for with from by as how when which what whats where why who had has have having there theres happen happens
happened about know think want wants let lets get gets got card cards play plays played playing player players game games rule rules allowed legal
possible need needs go goes going put puts lay use used many much make people person table say says said before after again`;

export const PARAGRAPH = "section, rule, situation, special situation, paragraph, para, number, no, point, article, pykälä, paragraf";

/** @type {Record<string, string>} */
export const MEANS = {
  draw2: "nosta 2, draw 2, draws 2, take 2, plus 2, pick up 2, pick 2, plus 2s, draw 2s",
  wild4: "villi nosta 4, nosta 4, wild draw 4, draw 4, draws 4, take 4, plus 4, pick up 4, pick 4, wild 4, wild plus 4, black 4, plus 4s, draw 4s, wild take 4, plus 8",
  reverse: "suunnanvaihto, reverse, revers, turnaround",
  skip: "ohitus, skip, miss turn, miss go, stop card, block",
  wild: "villi, jokeri, wild, wildcard, joker, colour changer, color changer, change colour, change color, colour change, color change, switch colour, pick colour",
  black: "black",
  special: "special, action card, actions, symbol, power card, picture card, face card, non number, effect",
  number: "number card, number, digit, normal card",
  zero: "0, zero",
  colour: "colour, color, red, green, blue, yellow, name colour, choose colour, choose color, suit",
  shufflehands: "everybodys cards, everyones cards, mixed and dealt, cards are mixed, shuffle hands, shuffle everyone hands, shuffle card, shuffle everybodys cards, mix hands, mix cards",
  swaphands: "swap, trade hands, exchange, switch hands, trade cards, change hands, switch cards",
  custom: "customi, custom card, blank, pencil, write on, write own, own rule, white card, empty card, invent",

  stack: "stack, chain, pile on, pile up, add up, on top of another, on plus, on draw 2, on draw 4, on 2, on 4, counter, answer with, \
pass on, add to, another plus, another draw, respond, return",
  several: "several, multiple, more than 1, at once, same time, together, double, triple, pair, in 1 turn, 2 cards, 3 cards, both cards, 2, 3, dump, \
combo, 1 turn, simultaneous",
  samecard: "same card, identical, exact same, exactly same, same number, same value, same colour number, same, equal, duplicate, matching",
  jumpin: "välilyönti, jump in, jump, jumping, side slide, slide, slip in, cut in, slap, interrupt, snap, intercept, throw in, butt in",
  outofturn: "out of turn, out turn, wrong turn, not turn, isnt turn, wasnt turn, wrong player, wrong order, elses turn, too early, before turn, \
outside turn",
  fits: "match, matches, fit, fits, what goes on, same colour, same color, same symbol, playable, play on, play card, put down, place, basic, gameplay, \
legal card, top card",
  turn: "turn, whose turn, move",
  losesturn: "lose turn, loses turn, lost turn, lose, miss, skipped, sit out, also play, next player",
  draw: "draw, take, pick up, pick, pickup, drew, drawn, drawing",
  cannot: "cannot, cant play, cant, cant go, no card fits, no matching, nothing fits, nothing to play, no playable, unable, nothing, no suitable, \
no card, dont have, doesnt have, until",
  drawn: "drawn card, drew, card drew, picked up card, picked, play drawn",
  must: "have to play, must, forced, obliged, required, mandatory, compulsory, optional, choose not, refuse, dont want, pass, keep card",
  needless: "needless, needlessly, unnecessar, on purpose, purpose, tactical, though, although, hoard, without reason, no reason, deliberate, \
intentional, willing, voluntar, extra cards, draw more, dont want play, instead playing, had card, had playable, pass",
  suspect: "suspect, suspicion, accuse, doubt, think has",
  challenge: "challenge, challanging, bluff, contest, lied, lying, liar, call bluff, call out, had colour, had color, had other card, had red, \
had blue, had green, had yellow, had matching, had other, had another colour",
  illegal: "illegal, wrongly, not allowed, wrong card, incorrect, mistake, by accident, accident, invalid, shouldnt, misplay, unfair",
  right: "rightly, guilty, correct, success, caught, right, true",
  wrong: "wrongly, innocent, false, fail, wrong, unsuccessful, lost challenge, lose challenge, not guilty",
  onlywhen: "only when, when play, when allowed, condition, anytime, always, when use, use wild",
  showhand: "show hand, show cards, show, reveal, see hand, who sees, look at hand",
  hand: "hand, hands, cards in hand, leftover cards",
  takeback: "take back, undo, takes back, back in hand",

  uno: "uno, unno, call uno, say uno",
  forgot: "forgot, forget, forgotten, didnt, not say, didnt say, not said, no uno, without saying, never said, missed uno, late uno, not call, \
not shout, doesnt say, dont say, silent, not, fail say, failed say, too late",
  unclear: "unclear, mumble, quiet, quietly, whisper, softly, not loud, heard, nobody heard, inaudible",
  seconds: "second, seconds, how fast, quick, quickly, how soon, how long to say, 3 seconds, say in time, when say uno, when call",
  onecard: "1 card, 1 card left, last 1, second last, second to last, penultimate, single card, 1 left",

  deck: "deck, decks, pack, packs, box, cards in game, requirement, requirements, equipment",
  players: "how many players, for players, 6 players, 7 players, 8 players, 9 players, 10 players, 12 players, 15 players, players, number of players, \
people",
  cardcount: "how many cards, number cards, amount of cards, count of, how many, fewer cards, fewest",
  takenout: "taken out, take out, removed, remove, left out, not used, not in, without, excluded, exclude, sort out",
  worth: "worth, value, values, points for, how many points, points of, score of, card points, card value, points each, cost, count for, how much",
  points: "points, point, score, scored, scoring",
  count: "count, counted, counting, calculate, calculated, add, sum, total, scoring system, work out, adding",
  target: "target, played to, play to, how many points to win, first to, 500, 250, points to win, limit, goal, win match, wins match, until how many, \
up to",
  agreed: "agree, agreed, agreement, change target, other target, another target, different, 300, 200",
  change: "change, changed, move, later",
  lowest: "lowest, low, fewest points, least points, smallest, minus, negative, own hand, own points",
  alternative: "alternative, other way, other count, own hand, own points",
  average: "average, mean, divided, divide",
  session: "session, series, evening, overall, tour, tournament, all games, final result, whole",
  fewestgames: "fewest games, minimum games, how many games, enough games, few games, played less, less games, fewer games, only 1 game, only game",
  absent: "absent, missed games, didnt play, missing games, not there, missed",
  minutes: "minute, minutes, full minutes, rounded, round down, seconds counted",
  samesecond: "same second, same time out, same moment, out together, simultaneous, same time, at once out",
  place: "place, placing, rank, ranking, position, order of, who better, better, standing",
  second: "second place, runner up, third place, behind winner, other places, second",
  level: "same highest, both highest, tie, tied, ties, level, even, same points, equal points, same number, same amount, draw game, same score, equal, \
tiebreak, as many, same place, shared, same average, same cards",
  highest: "highest, biggest, highest card, highest number, high card, draw for",

  dealer: "dealer, deals, who deals, who shuffle, who dealt, deal",
  deal: "deal, dealing, dealt, deals, how many dealt, give out, hand out, distribute, starting hand, start with, starting cards",
  handsize: "how many cards start, how many cards each, cards each, 7 cards, how many cards get, starting hand, start with, how many dealt, \
how many cards deal",
  shuffle: "shuffle, shuffles, shuffled, mix, reshuffle",
  nextgame: "next round, next game, new round, new game, another game, another round, after round, following round, between games, again",
  start: "start, starting, begin, beginning, set up, setup, prepare, preparation, opening, opens",
  whostarts: "who start, who begin, who goes first, goes first, who plays first, first player, first turn, starting player, who opens, starts, \
first move, who first",
  firstcard: "first card, card turned up, turned up, turned over, flipped, flip, starting card, start card, opening card, turn up, initial, face up, \
starts with, game starts with",
  clockwise: "clockwise, left, right, anticlockwise, counterclockwise",
  direction: "direction, clockwise, which way, turn order, order of play, anticlockwise, counterclockwise, left right, play order",
  twoplayers: "2 players, 2 left, 1 on 1, heads up, only 2, between 2, 2 people, 2 player",
  drawpile: "draw pile, drawpile, draw deck, stock, talon, draw stack, deck runs, deck empty, deck out, pile",
  discardpile: "discard, discard pile",
  empty: "empty, runs out, run out, ran out, out of cards, no cards left, finished deck, exhausted, no more cards, gone, used up, deck out, used, \
cards to draw, nothing to draw, nothing left to draw, no cards to draw, no more to draw",
  oldest: "oldest, eldest, older",
  youngest: "youngest, younger",
  roles: "role, roles, duty, duties, responsib, in charge, takes over, job, who keeps",
  neighbour: "neighbour, neighbor, sit, seat, seating, next to, left of",
  takepart: "take part, who plays, touch, participate, join, in out",
  seecards: "see cards, peek, peeking, look at cards, looking at, others cards, looked at, spy, seeing, show cards, other hand",
  ordinary: "ordinary, normal rules, official, regular, standard rules, original, mattel",
  houserules: "house rule, house rules, own rules, home rules, 7 0, 0 7, seven 0, zero swap",

  lastcard: "last card, final card, end with, end on, ends with, ends on, finish with, finish on, finishing, finishes, finished with, go out with, \
go out on, went out with, win with, win on, winning with, winning card, close with, last, ending with, ending on, ended, finish, black left, \
black card left, only black, have only, only have, only got, last remaining",
  out: "out, goes out, going out, gone out, empty hand, no cards left, finished, done, finishes, rid of",
  winner: "winner, win, wins, winning, won, victory, champion",
  loser: "loser, lose game, loses game, who loses, last place, losing",
  lastleft: "last 1 left, last player, only player, 1 player left, alone, last left, only 1 left, 1 left, left alone",
  gameends: "end of game, game over, game end, game ends, round end, round ends, when end, when over, ends, over, end, ending, when finished, finish, \
stop",
  afterout: "after out, already out, who out, finished player, after finish, done playing, after finishing, finished players, when out, \
already finished, out player",

  hour: "hour, 60 minutes, 1 hour, time up, times up, time out, time over, time limit, out of time, 60 min, time runs out, clock",
  time: "time, clock, timer, time limit",
  long: "how long, long, duration, last, lasts, half hour",
  timekeeper: "who keeps time, keeps time, timekeep, clock, timer, stopwatch, watch time, who times, keep time",
  early: "early, stopped early, stop early, stop, premature, abort, abandon, cut short, break off, have to leave, run out of time, end before, \
ended before, quit game, time up",
  stop: "stop, stopped, abort, abandon, break off, interrupted",
  void: "void, cancel, cancelled, annul, invalid, not count, doesnt count, misdeal, bad deal",
  replay: "replay, restart, redo, start over, misdeal, play again",

  latecomer: "latecomer, late, came late, arrive late, arrives late, join, joining, join late, join mid, mid game, midgame, newcomer, new player, \
enter, joins, jump in game, middle of game, ongoing, come in",
  late: "late, later",
  nine: "9 cards, 9",
  giveup: "give up, gives up, giving up, gave up, surrender, concede, resign, forfeit, quit, quits, quitting, anymore, no longer, want stop, \
had enough, tired",
  intention: "intention, on purpose, not trying, always, every game, throw game, every time",
  leave: "leave, leaves, leaving, left, goes home, go home, went home, walks away, walk away, walked out, drop out, drops out, quit, quits, has to go, \
withdraw, had to go, disappear",
  eject: "eject, kick, kicked, ban, banned, remove player, removed, thrown out, throw out, kick out, expel, disqualif, dq, red card, sent off, exclude, \
send away, remove",
  disqualified: "disqualif, dq, ejected, banned, place",
  again: "again, second time, twice, repeat, repeated, keeps doing, keeps, continue, continues, after warning, second warning",
  warning: "warning, warn, warned, yellow card, caution, admonish",
  unsporting: "unsport, rude, insult, swear, swearing, shout, shouting, behav, bad behaviour, conduct, rage, angry, aggressive, stalling, stall, \
slow play, slow, toxic, cursing, fair play, disrespect, throws cards, nasty, mean, poor loser, sore loser",
  disturb: "disturb, trouble, troublemaker, disrupt, annoy, drunk, noise, noisy, harass, loud, misbehav, rude, bother",
  mock: "mock, laugh at, tease, taunt, gloat, insult, trash talk, making fun, make fun, bully",
  celebrate: "celebrat, rejoice, cheer, gloat, happy, disappointed, dance",
  manners: "manner, etiquette, polite, courtesy, nice, code of conduct",
  equality: "equal treatment, equality, safer, safe space, harass, discriminat, inclusive, who to turn",
  cheat: "cheat, cheated, cheater, hide, hid, hiding, sneak, dishonest, trick, fraud, extra card hidden, 2 cards at, foul, break rules, broke, \
breaking",
  noticed: "noticed, notice, later, too late, noticed later, found out, afterwards, nobody saw, nobody noticed, unnoticed, next turn, discover, \
long ago, realis, realiz, already played",
  penalty: "penalty, penalties, punish, fine, sanction, consequence, punishment",
  help: "help, helps, helped, helping, tell what, hint, hints, advice, advise, advis, tip, tips, coach, whisper, told, telling, suggest, assist",
  talk: "talk, talking, tell, telling, told, speak, comment, discuss, team up, whisper, alliance, collud",
  spectator: "helpee, spectator, spectators, audience, viewer, watcher, watching, onlooker, bystander, friend, girlfriend, boyfriend, outsider, behind, \
non player, standing, crowd, mum, mother, dad",
  novice: "novice, beginner, new to game, newbie, rookie, first time, inexperienced, noob, never played, kid, child, learner, teach",
  away: "away, absent, toilet, bathroom, phone, smoking, smoke, not at table, not there, not here, isnt here, left table, afk, missing, not present, \
break, beer, drink, gone, not at, isnt at, wandered, loo, sleeping, asleep, outside, bar",
  marked: "tuntokortti, marked, mark, damaged, bent, torn, worn, scratched, recognis, recogniz, broken card, dirty, folded, ripped, creased, stained, replace card, \
crease, wet, dog ear",
  dispute: "dispute, disagree, argue, arguing, argument, quarrel, conflict, fight, who decides, decide, decides, unclear situation, not agree, \
cant agree, dont agree, disagreement, different opinion, problem, who right",
  vote: "vote, votes, voting, majority, yes no, resolver",
  referee: "rules do not say, rules dont say, not in the rules, no rule for, referee, ref, judge, umpire, final word, decision, ruling, complain, appeal, protest, overrule",
  heat: "heat, heats, qualif, qualifying, preliminary, group, small games, first stage",
  advance: "advance, advances, goes through, go through, get through, qualif, qualify, proceed, through, next stage, make to, reach final, to final",
  semifinal: "semi, semifinal, semi final, levels, stages, rounds before, second stage, quarter",
  final: "final, finals, finalist, championship, finale",
  beside: "another card, other card, with other, something else, other cards, different card, else with, more cards",

  origin: "wrote, written, riku, eskelinen, parish, oriveden seurakunta, orivesi, youth work, web address, website, unorules, source, rule sheet, who made, made by, author, authors, maker, makers, committee, anniversary, whose rules",
  champion: "champion, champions, championship, championship games, tested",
  opponents: "opponent, opponents",
  round: "round, rounds",
  idea: "idea, ideas, suggestion, custom card, custom cards, customizable card, customizable cards",
  note: "note, notice",
  symbol: "symbol, symbols, picture",
  example: "example",
  nextplayer: "next player",
  requirements: "requirements, requirement, what needed, equipment",
  kpgut: "kpgut, kingi89 pro gamer uno tour, pro gamer, rule book, rulebook",
  valueside: "value side, face down, face up",
  situations: "special situations, situations",
  case: "case, casing, put away, pack away",
  newest: "latest version, newest, version, download, copy, copying, free to use",
  revision: "rule changes, rule change, revision, what new, changed rules",
  trademark: "trademark, mattel inc, copyright",
  printing: "print, printing, printed, fold, a4, paper, duplex",
  value: "value, values, same value, rank of card",
  s4: "shuffler, who reshuffles",
};
