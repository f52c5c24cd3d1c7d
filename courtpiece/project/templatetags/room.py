"""The rows of a room's tables, made without a template for each: a hundred of them are one page."""

from collections.abc import Callable, Iterable
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.project.templatetags.cp import pair
from tournaments.queries import Dispute, RoomPage, TableLine

register = template.Library()

_CLASS_OF_STATE = {"finished": "official", "void": "void"}


@register.simple_tag
def room_rows(tables: Iterable[TableLine], page: RoomPage) -> SafeString:
    """Return the rows of the tables."""
    return format_html_join("", "{}", ((row,) for row in _Rows(page).of(tables)))


class _Rows:
    """What all rows have in common: the words, looked up once."""

    def __init__(self, page: RoomPage) -> None:
        self._is_final = page.header.status == "final"
        self._may_rule = page.may_rule and not self._is_final
        self._timezone = ZoneInfo(page.header.club.timezone or "UTC")
        self._agreed = "" if page.agreed_deals is None else format_html("<i>/{}</i>", page.agreed_deals)
        self._deals, self._courts, self._heard = _("Deals"), _("Courts"), _("Heard")
        self._nothing = format_html('<span class="muted">{}</span>', _("nothing yet"))
        self._dispute_address = _addresses("tournaments:dispute", page.header.slug, _ANY)
        self._correct_address = _addresses("tournaments:rule_on_deal", page.header.slug, _ANY, "correct")
        self._decide_address = _addresses("tournaments:rule_on_deal", page.header.slug, _ANY, "rule")
        self._disputed, self._other = _("Deal %(number)d is disputed"), _("The other side")
        self._recorded, self._unsaid = _("Recorded"), _("did not say how it was")
        self._look, self._correct = _("Both versions"), _("Correct")
        self._words = {"finished": _("finished"), "void": _("void")}
        self._given_away = format_html('<span class="badge">{}</span>', _("given away"))
        self._finish, self._open = _("Finish"), _("Open again")
        self._results, self._sheet, self._rule = _("Results"), _("Scoresheet"), _("Rule")
        self._results_address = _addresses("tournaments:results", _ANY)
        self._sheet_address = _addresses("scoring:scoresheet", _ANY)
        self._state_address = _addresses("tournaments:match_state", _ANY)
        self._rule_address = _addresses("tournaments:rule_on_match", page.header.slug, _ANY, "adjust")

    def of(self, tables: Iterable[TableLine]) -> Iterable[SafeString]:
        """Yield a row for each table."""
        for line in tables:
            yield format_html(
                '<tr role="row" class="{}"><th scope="row" role="rowheader" id="t-{}">{}</th>'
                '<td role="cell" class="sides">{} {}</td>'
                '<td role="cell" class="num" data-label="{}"><bdi dir="ltr">{}{}</bdi></td>'
                '<td role="cell" class="num strong" data-label="{}">'
                '<bdi class="score" dir="ltr">{}<i>–</i>{}</bdi></td>'
                '<td role="cell" class="heard" data-label="{}">{}</td>'
                '<td role="cell" class="state">{}</td><td role="cell" class="doing">{}</td></tr>',
                "is-doubt" if line.doubts else "" if line.is_open else "is-over",
                line.uid,
                line.table,
                pair(line.ns),
                pair(line.ew),
                self._deals,
                line.deals,
                self._agreed,
                self._courts,
                line.courts_ns,
                line.courts_ew,
                self._heard,
                self._heard_of(line),
                self._state_of(line),
                self._doing(line),
            )

    def _heard_of(self, line: TableLine) -> SafeString:
        heard = self._nothing if line.heard_at is None else self._moment(line.heard_at, line.heard_iso)
        if line.unsent is None:
            return heard
        count = line.unsent.deals
        words = ngettext(
            "%(count)d deal not yet sent, last heard %(when)s",
            "%(count)d deals not yet sent, last heard %(when)s",
            count,
        )
        when = self._moment(line.unsent.heard_at, line.unsent.heard_iso)
        before, after = (words % {"count": count, "when": "\0"}).split("\0")
        return format_html('{}<span class="doubt">{}{}{}</span>', heard, before, when, after)

    def _moment(self, moment: datetime, for_machines: str) -> SafeString:
        at = moment.astimezone(self._timezone)
        return format_html('<time datetime="{}" data-age>{}</time>', for_machines, f"{at:%H:%M}")

    def _state_of(self, line: TableLine) -> SafeString:
        badge = self._given_away if line.forfeit else SafeString("")
        if not line.forfeit and line.state in self._words:
            kind, word = _CLASS_OF_STATE[line.state], self._words[line.state]
            badge = format_html('<span class="badge badge--{}">{}</span>', kind, word)
        notes = format_html_join("", '<span class="doubt">{}</span>', ((note,) for note in line.notes))
        disputes = format_html_join("", "{}", ((self._dispute_of(one),) for one in line.disputes))
        return format_html("{}{}{}", badge, disputes, notes)

    def _dispute_of(self, dispute: Dispute) -> SafeString:
        """Return a dispute with where the two part, both versions, and for a director the ways to decide."""
        uid = dispute.deal_uid
        ways = (
            (self._dispute_address(uid), uid, self._look),
            (self._correct_address(uid), uid, self._correct),
            (self._decide_address(uid), uid, self._rule),
        )
        links = format_html_join("", '<a href="{}" aria-describedby="d-{}">{}</a>', ways)
        return format_html(
            '<div class="dispute"><p><strong class="doubt" id="d-{}">{}</strong></p><p>{}</p>'
            "<dl><div><dt>{}</dt><dd>{}</dd></div><div><dt>{}</dt><dd>{}</dd></div></dl>{}</div>",
            uid,
            self._disputed % {"number": dispute.number},
            dispute.point,
            self._recorded,
            dispute.recorded,
            dispute.by or self._other,
            dispute.offered or self._unsaid,
            format_html('<p class="dispute__ways">{}</p>', links) if self._may_rule else "",
        )

    def _doing(self, line: TableLine) -> SafeString:
        button = SafeString("")
        if self._is_final:
            pass
        elif line.can_finish:
            kind = "button button--small" if line.is_ready else "button button--small button--quiet"
            button = self._button(line, kind, "finished", self._finish)
        elif line.state == "finished" and not line.forfeit:
            button = self._button(line, "link", "open", self._open)
        links = (
            [(self._results_address(line.uid), self._results)] if line.is_open and not self._is_final else []
        )
        links.append((self._sheet_address(line.sheet_uid), self._sheet))
        if self._may_rule:
            links.append((self._rule_address(line.uid), self._rule))
        named = ((address, line.uid, word) for address, word in links)
        return format_html(
            "{}{}", button, format_html_join("", '<a href="{}" aria-describedby="t-{}">{}</a>', named)
        )

    def _button(self, line: TableLine, kind: str, state: str, word: str) -> SafeString:
        return format_html(
            '<button class="{}" formaction="{}" name="state" value="{}" aria-describedby="t-{}">{}</button>',
            kind,
            f"{self._state_address(line.uid)}?version={line.version}",
            state,
            line.uid,
            word,
        )


_ANY = UUID(int=0)


def _addresses(name: str, *args: object) -> Callable[[UUID], str]:
    """Return what makes an address of a uid in the place of ``_ANY``: they are looked up once, not for every row."""
    before, after = reverse(name, args=args).split(str(_ANY))
    return lambda uid: f"{before}{uid}{after}"
