"""The words that pages use for what the engine names with codes."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from courtpiece.accounts.auditing import Event

Words = Mapping[str, str | Promise]

SEATS: Final[Words] = {
    "N": pgettext_lazy("seat", "North"),
    "E": pgettext_lazy("seat", "East"),
    "S": pgettext_lazy("seat", "South"),
    "W": pgettext_lazy("seat", "West"),
}

TEAMS: Final[Words] = {
    "NS": pgettext_lazy("team", "North–South"),
    "EW": pgettext_lazy("team", "East–West"),
}

SUITS: Final[Words] = {
    "S": pgettext_lazy("suit", "Spades"),
    "H": pgettext_lazy("suit", "Hearts"),
    "D": pgettext_lazy("suit", "Diamonds"),
    "C": pgettext_lazy("suit", "Clubs"),
}

RANKS: Final[Words] = {
    "A": pgettext_lazy("rank", "Ace"),
    "K": pgettext_lazy("rank", "King"),
    "Q": pgettext_lazy("rank", "Queen"),
    "J": pgettext_lazy("rank", "Jack"),
    "T": pgettext_lazy("rank", "Ten"),
    "9": pgettext_lazy("rank", "Nine"),
    "8": pgettext_lazy("rank", "Eight"),
    "7": pgettext_lazy("rank", "Seven"),
    "6": pgettext_lazy("rank", "Six"),
    "5": pgettext_lazy("rank", "Five"),
    "4": pgettext_lazy("rank", "Four"),
    "3": pgettext_lazy("rank", "Three"),
    "2": pgettext_lazy("rank", "Two"),
}

TRUMP_METHODS: Final[Words] = {
    "announced": pgettext_lazy("trump method", "announced"),
    "card": pgettext_lazy("trump method", "laid face up"),
    "turned": pgettext_lazy("trump method", "turned up"),
    "named": pgettext_lazy("trump method", "on the named card"),
    "hidden": pgettext_lazy("trump method", "hidden"),
    "blind": pgettext_lazy("trump method", "blind"),
    "discard": pgettext_lazy("trump method", "made by a discard"),
}

AWARDS: Final[Words] = {
    "win": pgettext_lazy("award", "Win"),
    "court": pgettext_lazy("award", "Court"),
    "goon-court": pgettext_lazy("award", "Goon court"),
    "bavney": pgettext_lazy("award", "Bavney"),
    "revoke": pgettext_lazy("award", "Revoke"),
    "void": pgettext_lazy("award", "Void"),
    "run": pgettext_lazy("award", "Run"),
    "ruling": pgettext_lazy("award", "Ruling"),
}

AWARD_MEANINGS: Final[Words] = {
    "win": _("At least seven of the thirteen tricks."),
    "court": _("The first seven tricks while the other side had none, or all thirteen gathered."),
    "goon-court": _("A court made by the dealer's side."),
    "bavney": _("All thirteen tricks: counts 52 courts."),
    "revoke": _("Did not follow suit when able to: the other side scores a court."),
    "void": _("Ended undecided: scores nothing, and the same dealer deals again."),
    "run": _("Seven deals won running: a court."),
    "ruling": _("A director's decision stands above what the engine found."),
}

RULES: Final[Words] = {
    "court-piece": pgettext_lazy("rules", "Court Piece"),
    "hidden-trump": pgettext_lazy("rules", "Hidden trump"),
    "double-sir": pgettext_lazy("rules", "Double Sir"),
    "double-sir-ace": pgettext_lazy("rules", "Double Sir with Ace"),
    "hidden-rung": pgettext_lazy("rules", "Hidden rung"),
    "be-ranga": pgettext_lazy("rules", "Be-ranga"),
}

FORMATS: Final[Words] = {
    "single": pgettext_lazy("format", "Single match"),
    "winner-stays": pgettext_lazy("format", "Winner stays"),
    "round-robin": pgettext_lazy("format", "Round robin"),
    "swiss": pgettext_lazy("format", "Swiss"),
    "knockout": pgettext_lazy("format", "Knockout"),
    "groups-knockout": pgettext_lazy("format", "Groups and knockout"),
    "league": pgettext_lazy("format", "League"),
}

TIEBREAKS: Final[Words] = {
    "match-points": _("Match points"),
    "courts": _("Courts"),
    "courts-difference": _("Courts difference"),
    "courts-for": _("Courts for"),
    "head-to-head": _("Head to head"),
    "wins": _("Matches won"),
    "deals-won": _("Deals won"),
    "bavneys": _("Bavneys"),
    "buchholz": _("Buchholz"),
    "median-buchholz": _("Median Buchholz"),
    "sonneborn-berger": _("Sonneborn-Berger"),
    "longest-stay": _("Longest stay"),
    "session-points": _("Session points"),
    "draw-of-lots": _("Draw of lots"),
}

BYES: Final[Words] = {
    "pairing": pgettext_lazy("bye", "bye"),
    "requested": pgettext_lazy("bye", "bye asked for"),
    "absent": pgettext_lazy("bye", "not there"),
    "late": pgettext_lazy("bye", "not yet entered"),
    "forfeit-win": pgettext_lazy("bye", "won without play"),
    "forfeit-loss": pgettext_lazy("bye", "given away"),
}

CUTS: Final[Words] = {
    "lowest": _("left out as the lowest"),
    "highest": _("left out as the highest"),
}

STATUSES: Final[Words] = {
    "provisional": pgettext_lazy("standings", "Provisional"),
    "official": pgettext_lazy("standings", "Official"),
    "final": pgettext_lazy("standings", "Final"),
    "current": pgettext_lazy("standings", "Up to date"),
    "behind": pgettext_lazy("standings", "Being recomputed"),
    "public": pgettext_lazy("visibility", "Public"),
    "unlisted": pgettext_lazy("visibility", "Unlisted"),
    "private": pgettext_lazy("visibility", "Private"),
    "active": pgettext_lazy("entry", "Active"),
    "withdrawn": pgettext_lazy("entry", "Withdrawn"),
    "checked-in": pgettext_lazy("entry", "Checked in"),
    "disqualified": pgettext_lazy("entry", "Disqualified"),
    "declined": pgettext_lazy("entry", "Not accepted"),
    "requested": pgettext_lazy("entry", "Asked to play"),
    "open": pgettext_lazy("match", "Open"),
    "finished": pgettext_lazy("match", "Finished"),
    "scheduled": pgettext_lazy("match", "Scheduled"),
}

EVENTS: Final[Words] = {
    Event.ACCOUNT_CREATED: _("account made"),
    Event.SIGNED_IN: _("signed in"),
    Event.ACCOUNT_CHANGED: _("account changed"),
    Event.CLUB_CREATED: _("club made"),
    Event.CLUB_CHANGED: _("club changed"),
    Event.MEMBER_ADDED: _("member added"),
    Event.ROLE_CHANGED: _("role changed"),
    Event.MEMBER_REMOVED: _("member removed"),
    Event.TOKEN_CREATED: _("token made"),
    Event.TOKEN_REVOKED: _("token revoked"),
    "tournament-created": _("tournament made"),
    "tournament-changed": _("tournament changed"),
    "live-delay": _("delay of the cards changed"),
    "tournament-imported": _("tournament taken in from an archive"),
    "tournament-published": _("readers of a tournament changed"),
    "plan-changed": _("format changed"),
    "sessions-changed": _("sessions changed"),
    "regulations-changed": _("regulations changed"),
    "standings-status": _("status of the standings set"),
    "match-state": _("state of a match set"),
    "entries-taken": _("pairs entered"),
    "entry-asked": _("a pair asked to play"),
    "request-taken-back": _("request taken back"),
    "request-accepted": _("request accepted"),
    "request-declined": _("request not accepted"),
    "entry-withdrawn": _("pair withdrawn"),
    "entry-readmitted": _("pair came back"),
    "entry-removed": _("pair taken out of the list"),
    "entry-changed": _("entry changed"),
    "entry-replaced": _("players of an entry replaced"),
    "entry-absence": _("round that a pair sits out"),
    "entry-checked-in": _("pair checked in"),
    "entry-not-checked-in": _("check-in taken back"),
    "entries-absent": _("pairs marked as not there"),
    "check-in-cleared": _("every check-in taken back"),
    "entries-seeded": _("seeds given"),
    "round-drafted": _("round drawn as a draft"),
    "draft-changed": _("draft changed by hand"),
    "draft-discarded": _("draft thrown away"),
    "round-published": _("round published"),
    "schedule-published": _("all rounds published"),
    "round-taken-back": _("round taken back"),
    "wish-added": _("two pairs wanted together or apart"),
    "wish-lifted": _("wish about two pairs lifted"),
    "player-substituted": _("player substituted"),
    "substitute-taken-back": _("substitute taken back"),
    "clock": _("clock turned"),
    "results-taken": _("results taken from a file"),
    "table-links-made": _("links of tables made"),
    "table-link-revoked": _("link of a table revoked"),
    "table-link-renewed": _("link of a table renewed"),
    "table-links-extended": _("links of tables made good for longer"),
    "tables-changed": _("settings of the tables changed"),
    "deal-disputed": _("deal disputed at its table"),
    "dispute-settled": _("dispute settled: what is recorded stands"),
    "ruling": _("ruled"),
    "round-closed": _("round closed"),
    "round-reopened": _("round opened again"),
    "closed-for-results": _("closed for results"),
    "tournament-reopened": _("tournament opened again"),
    "appeal-lodged": _("appeal lodged"),
    "appeal-allowed": _("appeal allowed"),
    "appeal-dismissed": _("appeal dismissed"),
    "appeal-withdrawn": _("appeal withdrawn"),
    "player-anonymised": _("player's name taken away"),
    "game-recorded": _("game recorded at home"),
    "game-described": _("game described anew"),
    "game-shared": _("link of a game made"),
    "game-unshared": _("link of a game revoked"),
    "game-put-away": _("game put away"),
    "game-taken-out": _("game shown again"),
    "game-offered": _("game offered to the club"),
    "game-offer-taken-back": _("offer of a game taken back"),
    "game-taken": _("offered game taken"),
    "game-declined": _("offered game declined"),
    "player-linked": _("account of a player set"),
    "webhook-made": _("webhook made"),
    "webhook-changed": _("webhook changed"),
    "webhook-secret-renewed": _("secret of a webhook renewed"),
    "webhook-paused": _("webhook paused"),
    "webhook-resumed": _("webhook resumed"),
    "webhook-tested": _("webhook tested"),
    "webhook-sent-again": _("event sent again to a webhook"),
    "webhook-removed": _("webhook removed"),
    "player-hidden": _("player's name hidden"),
    "player-shown": _("player's name shown again"),
    "players-merged": _("two players merged"),
    "players-parted": _("merge of two players undone"),
    "person-asked": _("request about a player"),
    "person-asked-no-more": _("request about a player taken back"),
    "person-declined": _("request about a player declined"),
}
"""What is written down of a club: the events of accounts, and those of the apps above."""

PROBLEM_KINDS: Final[Words] = {
    "malformed": pgettext_lazy("problem", "Cannot be read"),
    "impossible": pgettext_lazy("problem", "Cannot have happened"),
    "discrepancy": pgettext_lazy("problem", "Says something else than the cards"),
    "warning": pgettext_lazy("problem", "Worth a look"),
}

PROBLEMS: Final[Words] = {
    "bad-syntax": pgettext_lazy("problem", "Not PCN"),
    "bad-encoding": pgettext_lazy("problem", "Not UTF-8"),
    "record-too-long": pgettext_lazy("problem", "Record too long"),
    "duplicate-tag": pgettext_lazy("problem", "Tag twice"),
    "missing-tag": pgettext_lazy("problem", "Tag missing"),
    "bad-value": pgettext_lazy("problem", "Value not understood"),
    "unknown-rules": pgettext_lazy("problem", "Rules not known"),
    "bad-hands": pgettext_lazy("problem", "Hands not possible"),
    "card-repeated": pgettext_lazy("problem", "Card played twice"),
    "card-not-held": pgettext_lazy("problem", "Card not held"),
    "bad-trick": pgettext_lazy("problem", "Trick not possible"),
    "bad-trump": pgettext_lazy("problem", "Trump not possible"),
    "bad-reveal": pgettext_lazy("problem", "Reveal not possible"),
    "bad-correction": pgettext_lazy("problem", "Card taken back against the law"),
    "no-such-revoke": pgettext_lazy("problem", "Revoke claimed that was none"),
    "hands-needed": pgettext_lazy("problem", "Hands needed"),
    "undecided": pgettext_lazy("problem", "Undecided"),
    "result-mismatch": pgettext_lazy("problem", "States another result"),
    "courts-mismatch": pgettext_lazy("problem", "States other courts"),
    "wrong-dealer": pgettext_lazy("problem", "Wrong dealer"),
    "deal-gap": pgettext_lazy("problem", "Deal missing before it"),
    "uncalled-revoke": pgettext_lazy("problem", "Revoke that nobody called"),
}

REMEDIES: Final[Words] = {
    "bad-syntax": _("Write one tag, one trick or one comment a line, and end the play with *."),
    "bad-encoding": _("Save the file as UTF-8 text and send it again."),
    "record-too-long": _(
        "A record may have 64 KiB; check that the file is PCN and that comments are closed."
    ),
    "duplicate-tag": _("Keep one of the two tags."),
    "missing-tag": _("Every record needs a Deal and a Dealer tag; add the missing one."),
    "bad-value": _("Correct the value as the message says."),
    "unknown-rules": _("Use one of the named rules and its options, each option once."),
    "bad-hands": _("Each hand needs thirteen cards and each card stands once; compare with the paper."),
    "card-repeated": _("This card was played before; look for a slip in this trick or the earlier one."),
    "card-not-held": _(
        "The player whose turn it is does not hold this card; check it and the trick's leader."
    ),
    "bad-trick": _("Every trick but the last has four cards, and numbers run from 1."),
    "bad-trump": _("State a suit and a method that these rules allow."),
    "bad-reveal": _("Check who could not follow suit when the indicator was turned up."),
    "bad-correction": _("Only the revoking player, and those who played after, may take a card back."),
    "no-such-revoke": _("Check the seat and the trick of the claim; that play followed suit."),
    "hands-needed": _("Add the Hands tag, or write down all 52 cards."),
    "undecided": _("Add the missing tricks or a Result; an abandoned deal has the result void."),
    "result-mismatch": _("Correct the tag or the play; a director can record it with a ruling."),
    "courts-mismatch": _("Compare the courts with the deals before; a deal may be missing or scored twice."),
    "wrong-dealer": _("The deal stands. Check that no deal is missing before it."),
    "deal-gap": _("The deal stands. A deal of this match may be missing."),
    "uncalled-revoke": _("The revoke counts although nobody claimed it. Tell the table."),
}


def word_for(words: Words, code: str) -> str:
    """Return the word for ``code`` in the active language, or the code itself where there is none."""
    return str(words.get(code, code))


def code_of(value: object) -> str:
    """Return the code that ``value`` is written with: a text itself, a seat's letter, an enum's value."""
    if value is None or (isinstance(value, str) and not isinstance(value, Enum)):
        return value or ""
    letter = getattr(value, "letter", None)
    if isinstance(letter, str):
        return letter
    if isinstance(value, Enum):
        return value.value if isinstance(value.value, str) else value.name
    return str(value)
