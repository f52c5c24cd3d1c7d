"""The addresses of clubs and tournaments."""

from typing import Final

from django.urls import URLPattern, path

from tournaments.views import (
    closing,
    creating,
    disputes,
    draws,
    entries,
    entry,
    entry_files,
    entry_lists,
    links,
    prints,
    reading,
    record,
    result_files,
    room,
    rulings,
    settings,
    slip_keys,
    slips,
    table,
    watching,
    webhooks,
)

app_name = "tournaments"
HERE: Final = "tournaments/<slug:slug>/"
MANAGE: Final = f"{HERE}manage/"
DRAW: Final = f"{MANAGE}draw/"
RULINGS: Final = f"{MANAGE}rulings/"
ENTRIES: Final = f"{MANAGE}entries/"
ENTRY: Final = f"{ENTRIES}<int:number>/"

_READING: Final = [
    path("clubs/<slug:slug>/", reading.club, name="club"),
    path("tournaments/", reading.index, name="index"),
    path(HERE, reading.tournament, name="tournament"),
    path(f"{HERE}standings/", reading.standings, name="standings"),
    path(f"{HERE}standings/fragment", reading.standings_fragment, name="standings_fragment"),
    path(f"{HERE}ranks/", reading.ranks, name="ranks"),
    path(f"{HERE}needs/", reading.needs, name="needs"),
    path(f"{HERE}entries/<int:number>/", reading.entry, name="entry"),
    path(f"{HERE}tables/<path:table>/", watching.table, name="table"),
    path(f"{HERE}hall/", watching.hall, name="hall"),
]
_SETTINGS: Final = [
    path(f"{HERE}upload/", settings.upload, name="upload"),
    path(f"{MANAGE}settings/", settings.settings, name="settings"),
    path(f"{MANAGE}description/", settings.change_description, name="change_description"),
    path(f"{MANAGE}scoring/", settings.change_scoring, name="change_scoring"),
    path(f"{MANAGE}live/", settings.change_live_delay, name="change_live_delay"),
]
_ROOM: Final = [
    path(MANAGE, room.run, name="manage"),
    path(f"{MANAGE}room/", room.room, name="room"),
    path(f"{MANAGE}room/find/", room.find_match, name="find_match"),
    path(f"{MANAGE}rounds/<int:number>/clock/", room.turn_clock, name="turn_clock"),
    path(f"{HERE}clock/", room.clock, name="clock"),
    path(f"{HERE}clock/now", room.clock_now, name="clock_now"),
    path("matches/<uuid:uid>/state/", room.match_state, name="match_state"),
    path(f"{MANAGE}disputes/<uuid:uid>/", disputes.dispute, name="dispute"),
    path("matches/<uuid:uid>/results/", slips.results, name="results"),
    path("matches/<uuid:uid>/slip/", slip_keys.slip, name="slip"),
    path(f"{MANAGE}slips/", slip_keys.find, name="slips"),
    path(f"{MANAGE}results/", result_files.file, name="results_file"),
    path(f"{MANAGE}results/save/", result_files.save, name="results_file_save"),
    path(f"{MANAGE}results/empty.csv", result_files.template, {"kind": "csv"}, name="results_empty_csv"),
    path(f"{MANAGE}results/empty.xlsx", result_files.template, {"kind": "xlsx"}, name="results_empty_xlsx"),
    path(f"{HERE}results.csv", result_files.export, {"kind": "csv"}, name="results_csv"),
    path(f"{HERE}results.xlsx", result_files.export, {"kind": "xlsx"}, name="results_xlsx"),
]
_CREATING: Final = [
    path("clubs/<slug:slug>/tournaments/new/", creating.create, name="create"),
    path(f"{MANAGE}publish/", settings.publish, name="publish"),
    path(f"{MANAGE}plan/", settings.change_plan, name="change_plan"),
    path(f"{MANAGE}rules/", settings.change_rules, name="change_rules"),
    path(f"{MANAGE}sessions/", settings.change_sessions, name="change_sessions"),
    path(f"{MANAGE}entering/", settings.change_entering, name="change_entering"),
    path(f"{MANAGE}tables/", settings.change_tables, name="change_tables"),
    path(f"{MANAGE}forecast/", creating.forecast, name="forecast"),
]
_ENTRIES: Final = [
    path(f"{HERE}entries/", entries.public_entries, name="entries"),
    path(f"{HERE}enter/", entries.ask, name="entries_ask"),
    path(f"{HERE}enter/take-back/", entries.take_back, name="entries_take_back"),
    path(ENTRIES, entries.manage, name="entries_manage"),
    path(f"{ENTRIES}search/", entries.search, name="entries_search"),
    path(f"{ENTRIES}add/", entries.add, name="entries_add"),
    path(f"{ENTRIES}file/", entry_files.file, name="entries_file"),
    path(f"{ENTRIES}file/save/", entry_files.save, name="entries_file_save"),
    path(f"{ENTRIES}empty.csv", entry_files.template, {"kind": "csv"}, name="entries_csv"),
    path(f"{ENTRIES}empty.xlsx", entry_files.template, {"kind": "xlsx"}, name="entries_xlsx"),
    path(f"{ENTRIES}seeds/", entry_lists.seeds, name="entries_seeds"),
    path(f"{ENTRIES}check-in/", entry_lists.room, name="entries_check_in"),
    path(f"{ENTRIES}check-in/absent/", entry_lists.absent, name="entries_absent"),
    path(f"{ENTRIES}check-in/clear/", entry_lists.clear, name="entries_clear"),
    path(f"{ENTRY}check-in/", entry_lists.check, name="entry_check"),
    path(f"{ENTRY}answer/", entries.answer, name="entry_answer"),
    path(ENTRY, entry.entry, name="entry_manage"),
    path(f"{ENTRY}change/", entry.change, name="entry_change"),
    path(f"{ENTRY}players/", entry.replace, name="entry_replace"),
    path(f"{ENTRY}withdraw/", entry.withdraw, name="entry_withdraw"),
    path(f"{ENTRY}back/", entry.readmit, name="entry_readmit"),
    path(f"{ENTRY}remove/", entry.remove, name="entry_remove"),
    path(f"{ENTRY}absence/", entry.absence, name="entry_absence"),
    path(f"{ENTRY}absence/<int:round_number>/", entry.presence, name="entry_presence"),
    path(f"{ENTRY}substitute/<uuid:uid>/", entry.substitute, name="entry_substitute"),
    path(f"{ENTRY}substitute/<uuid:uid>/<int:player>/", entry.substitute_back, name="entry_substitute_back"),
]
_DRAWS: Final = [
    path(DRAW, draws.draw, name="draw"),
    path(f"{DRAW}draft/", draws.draft, name="draw_draft"),
    path(f"{DRAW}again/", draws.redraw, name="draw_again"),
    path(f"{DRAW}discard/", draws.discard, name="draw_discard"),
    path(f"{DRAW}publish/", draws.publish, name="draw_publish"),
    path(f"{DRAW}publish-all/", draws.publish_all, name="draw_publish_all"),
    path(f"{DRAW}take-back/", draws.take_back, name="draw_take_back"),
    path(f"{DRAW}swap/", draws.swap, name="draw_swap"),
    path(f"{DRAW}wishes/", draws.wish, name="draw_wish"),
    path(f"{DRAW}wishes/<int:wish_id>/lift/", draws.lift, name="draw_lift"),
    path(f"{DRAW}away/", draws.away, name="draw_away"),
    path(f"{DRAW}away/<int:number>/back/", draws.back, name="draw_back"),
]
_LINKS: Final = [
    path("table/", table.table_shell, name="table_shell"),
    path("table/sw.js", table.table_worker, name="table_worker"),
    path("table/manifest.webmanifest", table.table_manifest, name="table_manifest"),
    path("record/", record.record_shell, name="record_shell"),
    path("record/sw.js", record.record_worker, name="record_worker"),
    path("record/manifest.webmanifest", record.record_manifest, name="record_manifest"),
    path("record/account", record.record_account, name="record_account"),
    path(f"{MANAGE}links/", links.links, name="links"),
    path(f"{MANAGE}links/make/", links.make_links, name="links_make"),
    path(f"{MANAGE}links/change/", links.change_link, name="link_change"),
    path(f"{MANAGE}links/extend/", links.extend_links, name="links_extend"),
]
HOOKS: Final = "clubs/<slug:slug>/webhooks/"
_WEBHOOKS: Final = [
    path(HOOKS, webhooks.webhooks, name="webhooks"),
    path(f"{HOOKS}<uuid:uid>/", webhooks.webhook, name="webhook"),
    path(f"{HOOKS}<uuid:uid>/change/", webhooks.change, name="webhook_change"),
    path(f"{HOOKS}<uuid:uid>/do/", webhooks.act, name="webhook_do"),
]
_PRINTS: Final = [
    path(f"{MANAGE}print/", prints.prints, name="prints"),
    path(f"{MANAGE}print/<slug:kind>/", prints.sheet, name="print"),
]
_RULINGS: Final = [
    path(f"{HERE}rulings/", rulings.rulings_list, name="rulings"),
    path(RULINGS, rulings.manage, name="rulings_manage"),
    path(f"{RULINGS}new/", rulings.choose, name="ruling_choose"),
    path(f"{RULINGS}deals/<uuid:uid>/<slug:what>/", rulings.on_deal, name="rule_on_deal"),
    path(f"{RULINGS}matches/<uuid:uid>/<slug:what>/", rulings.on_match, name="rule_on_match"),
    path(f"{RULINGS}entries/<int:number>/<slug:what>/", rulings.on_entry, name="rule_on_entry"),
    path(f"{RULINGS}<int:number>/back/", rulings.take_back, name="ruling_back"),
    path(f"{RULINGS}<int:number>/appeal/", rulings.lodge, name="appeal_lodge"),
    path(f"{RULINGS}<int:number>/appeal/decide/", rulings.decide, name="appeal_decide"),
    path(f"{MANAGE}close/", closing.page, name="closing"),
    path(f"{MANAGE}close/rounds/<int:number>/", closing.close_round, name="close_round"),
    path(f"{MANAGE}close/rounds/<int:number>/open/", closing.reopen_round, name="reopen_round"),
    path(f"{MANAGE}close/results/", closing.close, name="close_results"),
    path(f"{MANAGE}close/official/", closing.official, name="make_official"),
    path(f"{MANAGE}close/final/", closing.final, name="make_final"),
    path(f"{MANAGE}close/reopen/", closing.reopen, name="reopen"),
]
urlpatterns: list[URLPattern] = [
    *_READING,
    *_CREATING,
    *_DRAWS,
    *_LINKS,
    *_PRINTS,
    *_SETTINGS,
    *_ROOM,
    *_ENTRIES,
    *_RULINGS,
    *_WEBHOOKS,
]
