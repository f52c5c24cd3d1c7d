"""The tags and filters of Courtpiece's templates: ``{% load cp %}``."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Any

import segno
from django import template
from django.templatetags.static import static
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from courtpiece.accounts.moments import clock_text, moment_text
from courtpiece.project import words
from courtpiece.project.board import Board, board_of, card_name, suits_of
from courtpiece.project.charts import BarChart, LineChart, Story, bars_of, ranks_of, story_of
from courtpiece.project.picture import picture_of
from courtpiece.project.words import code_of, word_for
from scoring.domain.results import Ranking
from scoring.queries import DealPosition
from tournaments import words as drawing_words
from tournaments.queries import ByeLine, MatchLine

register = template.Library()

# Names and numbers


@register.filter
def bdi(name: object) -> SafeString:
    """Return a name kept apart from the direction of the text around it."""
    return format_html("<bdi>{}</bdi>", name)


@register.filter
def pair(name: object) -> SafeString:
    """Return a partnership's name, ``First & Second``, each partner kept apart."""
    return _pair(str(name))


@lru_cache(maxsize=4096)
def _pair(name: str) -> SafeString:
    """Return what a long page has hundreds of, and the next one has again."""
    partners = name.split(" & ")
    joint = SafeString(' <span class="amp">&amp;</span> ')
    return format_html(
        '<span class="pair">{}</span>', format_html_join(joint, "<bdi>{}</bdi>", ((p,) for p in partners))
    )


@register.simple_tag
def score(first: object, second: object) -> SafeString:
    """Return two numbers as a score that reads from left to right in every language."""
    return format_html('<bdi class="score" dir="ltr">{}<i>–</i>{}</bdi>', first, second)


@register.filter
def signed(value: object) -> SafeString:
    """Return a difference with its sign, ``+3`` or ``−3``; an empty one as a dash."""
    if value is None or value == "":
        return SafeString('<span class="none">–</span>')
    number = Fraction(str(value))
    sign = "+" if number > 0 else "−" if number < 0 else ""
    return format_html('<bdi class="num" dir="ltr">{}{}</bdi>', sign, abs(number))


@register.filter
def number(value: object) -> SafeString:
    """Return a number in figures of one width, below 0 with a minus sign, or a dash where there is none."""
    if value is None or value == "":
        return SafeString('<span class="none">–</span>')
    text = str(value)
    shown = f"−{text[1:]}" if text.startswith("-") else text
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', shown)


@register.filter
def difference(first: int, second: int) -> int:
    """Return ``first`` less ``second``."""
    return first - second


@register.filter
def moment(instant: object, timezone: str = "UTC") -> str:
    """Return an instant, as a time or as ISO 8601 text, as a date and time of day of ``timezone``."""
    found = instant if isinstance(instant, datetime) else parse_datetime(str(instant))
    if found is None:
        return str(instant)
    return moment_text(found, timezone)


@register.filter
def until(instant: datetime, timezone: str = "UTC") -> str:
    """Return the end of a time like ``moment``, a minute that has begun as the next: it is never shown too early."""
    return moment(instant + timedelta(seconds=-instant.second % 60), timezone)


@register.filter
def time_of_day(instant: datetime, timezone: str = "UTC") -> str:
    """Return the time of day there to the second: ``20:14:05``."""
    return clock_text(instant, timezone)


@register.filter
def from_minute(instant: datetime, timezone: str = "UTC") -> str:
    """Return the time of day there in hours and minutes, one that has begun as the next: never shown too early."""
    return clock_text(instant + timedelta(seconds=-instant.second % 60), timezone)[:-3]


@register.filter
def duration(minutes: int) -> str:
    """Return minutes as hours and minutes: ``2 h 05 min``."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return _("%(minutes)d min") % {"minutes": rest}
    # Translators: a length of time, for example "2 h 05 min".
    return _("%(hours)d h %(minutes)02d min") % {"hours": hours, "minutes": rest}


@register.filter
def at(values: Mapping[str, object], key: str) -> object:
    """Return what a mapping has for a key; empty where it has nothing."""
    return values.get(key, "")


# Words


@register.filter
def award_label(code: object) -> str:
    """Return the word for an award."""
    return word_for(words.AWARDS, code_of(code))


@register.filter
def seat_label(seat: object) -> str:
    """Return the word for a seat."""
    return word_for(words.SEATS, code_of(seat))


@register.filter
def team_label(team: object) -> str:
    """Return the word for a team."""
    return word_for(words.TEAMS, code_of(team))


@register.filter
def suit_label(suit: object) -> str:
    """Return the word for a suit."""
    return word_for(words.SUITS, code_of(suit))


@register.filter
def tiebreak_label(code: object) -> str:
    """Return the word for a tie-break or a ranking."""
    return word_for(words.TIEBREAKS, code_of(code))


@register.filter
def bye_label(kind: object) -> str:
    """Return the words for why a round had no match."""
    return word_for(words.BYES, code_of(kind))


@register.filter
def cut_label(cut: object) -> str:
    """Return the words for why a line of a tie-break does not count."""
    return word_for(words.CUTS, code_of(cut))


@register.filter
def format_label(code: object) -> str:
    """Return the words for a tournament's format."""
    return word_for(words.FORMATS, code_of(code))


@register.filter
def status_label(code: object) -> str:
    """Return the word for the status of standings, of an entry or of a match."""
    return word_for(words.STATUSES, code_of(code))


@register.filter
def event_label(code: object) -> str:
    """Return the words for what was done, in the log of a club."""
    return word_for(words.EVENTS, code_of(code))


@register.filter
def problem_kind(kind: object) -> str:
    """Return the words for a kind of problem."""
    return word_for(words.PROBLEM_KINDS, code_of(kind).lower())


@register.filter
def problem_label(code: object) -> str:
    """Return a problem's code in a few words."""
    return word_for(words.PROBLEMS, code_of(code))


@register.filter
def remedy(code: object) -> str:
    """Return what to do about a problem, or nothing where the message says it all."""
    return word_for(words.REMEDIES, code_of(code)) if code_of(code) in words.REMEDIES else ""


@register.filter
def rules_label(rules: object) -> str:
    """Return rules as words: the name translated, the options as they are written."""
    name, *options = str(rules).split()
    return " · ".join((word_for(words.RULES, name), *options))


@register.filter
def card_label(card: object) -> str:
    """Return a card in words."""
    return card_name(str(card))


# Cards


@register.simple_tag
def card(code: object, size: str = "", state: str = "") -> SafeString:
    """Return the face of a card such as ``HT``.

    ``size`` is empty or ``small``, ``state`` any of ``played``, ``winner``, ``trump``, ``taken-back``.
    """
    text = str(code)
    small = size == "small"
    return format_html(
        '<svg class="card card--{}{}{}" viewBox="{}" role="img" aria-label="{}"><use href="{}#{}{}"/></svg>',
        text[0],
        " card--small" if small else "",
        "".join(f" is-{word}" for word in state.split()),
        "0 0 60 84" if small else "0 0 100 140",
        card_label(text),
        static("img/cards.svg"),
        "s" if small else "",
        text,
    )


@register.simple_tag
def card_back(size: str = "") -> SafeString:
    """Return the back of a card."""
    return format_html(
        '<svg class="card card--back{}" viewBox="0 0 100 140" role="img" aria-label="{}">'
        '<use href="{}#back"/></svg>',
        " card--small" if size == "small" else "",
        _("A card face down"),
        static("img/cards.svg"),
    )


@register.simple_tag
def suit(code: object, *, quiet: bool = False) -> SafeString:
    """Return a suit's mark; ``quiet`` where its name stands beside it."""
    letter = code_of(code)
    voice = (
        SafeString('aria-hidden="true"')
        if quiet
        else format_html('role="img" aria-label="{}"', suit_label(letter))
    )
    return format_html(
        '<svg class="suit suit--{}" viewBox="0 0 32 32" {}><use href="{}#suit-{}"/></svg>',
        letter,
        voice,
        static("img/cards.svg"),
        letter,
    )


@register.simple_tag
def play(code: object) -> SafeString:
    """Return a card as text in a line: its suit's mark and its rank."""
    text = str(code)
    rank = "10" if text[1] == "T" else text[1]
    return format_html(
        '<span class="play suit--{}" dir="ltr"><span aria-hidden="true">{}{}</span>'
        '<span class="sr">{}</span></span>',
        text[0],
        suit(text[0], quiet=True),
        rank,
        card_label(text),
    )


@register.simple_tag
def trump(stated: object) -> SafeString:
    """Return how trump was made, from a suit or the text of a ``Trump`` tag: ``S card S7``, ``-``."""
    letter, *how = code_of(stated).split() or [""]
    if letter not in words.SUITS:
        return format_html('<span class="trump">{}</span>', _("No trump"))
    method = word_for(words.TRUMP_METHODS, how[0]) if how else ""
    shown = play(how[-1]) if how and _is_card(how[-1]) else ""
    detail = format_html(' <span class="trump__how">{} {}</span>', method, shown) if method else ""
    return format_html(
        '<span class="trump">{} {}{}</span>', suit(letter, quiet=True), suit_label(letter), detail
    )


def _is_card(text: str) -> bool:
    return text[:1] in words.SUITS and text[1:] in words.RANKS


@register.inclusion_tag("components/hand.html")
def hand(
    cards: object, played: Iterable[object] = (), style: str = "rows", label: str = ""
) -> Mapping[str, object]:
    """Show a hand as four ``rows`` of ranks or as a ``fan`` of faces; those ``played`` are shown as gone."""
    gone = {str(code) for code in played}
    suits = suits_of(cards)
    rows = [(letter, [(code, code in gone) for code in codes]) for letter, codes in suits]
    # Black, red, black, red: neighbours in the fan differ in colour.
    fan = [entry for letter in "SHCD" for row, entries in rows if row == letter for entry in entries]
    return {"rows": rows, "fan": fan, "style": style, "label": label}


@register.inclusion_tag("components/board.html")
def board(replay: object) -> Mapping[str, Board]:
    """Show the table of a replay at its step, the trick in the centre."""
    return {"board": board_of(replay)}


@register.inclusion_tag("components/replay.html")
def replay(replay: object) -> Mapping[str, Board]:
    """Show a replay whole: the table, the steps and what happens in each."""
    return {"board": board_of(replay)}


@register.inclusion_tag("components/tricks.html")
def trick_table(replay: object) -> Mapping[str, Board]:
    """Show all tricks of a replay as a table: nothing in it has to be turned."""
    return {"board": board_of(replay)}


@register.simple_tag
def deal_picture(position: DealPosition) -> SafeString:
    """Return a deal at a step as a picture that stands alone."""
    return SafeString(picture_of(position))


@register.inclusion_tag("components/story.html")
def story(lines: Iterable[object]) -> Mapping[str, Story]:
    """Show a match deal by deal as bars, NS above the line and EW below; ``lines`` are the ledger's."""
    return {"story": story_of(lines)}


@register.inclusion_tag("components/bars.html")
def bars(rows: Iterable[object], label: str, value: str, high: str) -> Mapping[str, BarChart]:
    """Show minutes as bars, one of each row: ``value`` solid, ``high`` behind it; the three name attributes."""
    return {"chart": bars_of(rows, label=label, value=value, high=high)}


@register.inclusion_tag("components/ranks.html")
def ranks(lines: Iterable[object], columns: Iterable[object]) -> Mapping[str, LineChart]:
    """Show the ranks of ``lines`` over ``columns`` as lines of a chart; a table says the same beside it."""
    return {"chart": ranks_of(lines, columns)}


@register.simple_tag
def rank_of(card: object) -> str:
    """Return a card's rank as it is shown, ``10`` for ten."""
    rank = str(card)[1]
    return "10" if rank == "T" else rank


@register.simple_tag
def qr(address: object, label: str) -> SafeString:
    """Return an address as a QR code, drawn in the page."""
    drawing = segno.make_qr(str(address), error="m").svg_inline(omitsize=True, border=2)
    return format_html('<span class="qr" role="img" aria-label="{}">{}</span>', label, SafeString(drawing))


# Seats, awards, notices


@register.simple_tag
def seat(code: object, role: str = "") -> SafeString:
    """Return a seat's badge; ``role`` may be ``dealer`` or ``caller``."""
    letter = code_of(code)
    team = "NS" if letter in "NS" else "EW"
    return format_html(
        '<abbr class="seat seat--{}{}" title="{}">{}</abbr>',
        team,
        f" is-{role}" if role else "",
        seat_label(letter),
        letter,
    )


@register.simple_tag
def team(code: object) -> SafeString:
    """Return a team's badge."""
    letters = code_of(code)
    return format_html(
        '<abbr class="seat seat--{}" title="{}">{}</abbr>', letters, team_label(letters), letters
    )


@register.simple_tag
def award_badge(code: object) -> SafeString:
    """Return an award's badge, its meaning as the title."""
    value = code_of(code)
    meaning = word_for(words.AWARD_MEANINGS, value)
    return format_html(
        '<span class="badge badge--{}" title="{}">{}</span>', value, meaning, award_label(value)
    )


@register.simple_tag
def status_badge(code: object) -> SafeString:
    """Return the badge of a status."""
    value = code_of(code)
    return format_html('<span class="badge badge--{}">{}</span>', value, status_label(value))


@register.simple_tag
def law_ref(number: object) -> SafeString:
    """Return the citation of a law."""
    return format_html('<span class="law">{}</span>', _("law %(number)s") % {"number": number})


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Return one of the drawings of ``img/icons.svg``, silent unless it has a ``label``."""
    voice = format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"')
    return format_html(
        '<svg class="icon icon--{}" viewBox="0 0 24 24" {}><use href="{}#{}"/></svg>',
        name,
        voice,
        static("img/icons.svg"),
        name,
    )


@register.inclusion_tag("components/problem.html")
def problem(found: object, file: str = "", record: int | None = None) -> Mapping[str, object]:
    """Show a problem of a record: where it is, what was found, and what to do."""
    return {"problem": found, "file": file, "record": record}


@register.filter
def round_label(key: object) -> str:
    """Return what a round or a match is called, from its key in ``tournaments.domain.labels``."""
    return drawing_words.label_text(str(key))


@register.filter
def entry_names(rows: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """Return the partnerships' names by the numbers of their entries, from the rows of standings."""
    return {row["entry"]: row["partnership"]["name"] for row in rows}


@register.inclusion_tag("tournaments/pairing_reason.html")
def pairing_reason(match: MatchLine, names: Mapping[int, str], ranking: Ranking) -> Mapping[str, object]:
    """Show why the two of a match meet, and who was drawn to sit where."""
    (north, south), (east, west) = match.ns.pair.players, match.ew.pair.players
    own = {match.ns.number: match.ns.pair.name, match.ew.number: match.ew.pair.name}
    return {
        "why": drawing_words.why_of_match(
            match.drawn, ns=match.ns.number, ew=match.ew.number, names={**names, **own}, ranking=ranking
        ),
        "dealer": match.first_dealer,
        "seats": [("N", north.name), ("E", east.name), ("S", south.name), ("W", west.name)],
    }


@register.simple_tag
def bye_reason(bye: ByeLine, names: Mapping[int, str]) -> SafeString:
    """Return why an entry has no opponent, in a few words."""
    why = drawing_words.why_of_bye(bye.drawn, entry=bye.entry.number, kind=bye.kind, names=names)
    return format_html("{}", " ".join((*why.reasons, *why.others)))


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(*steps: object) -> Mapping[str, object]:
    """Show the way here: pairs of a name and an address, and last the name of this page."""
    pairs: Sequence[tuple[object, object]] = list(zip(steps[::2], steps[1::2], strict=False))
    return {"steps": pairs, "here": steps[-1] if len(steps) % 2 else None}
