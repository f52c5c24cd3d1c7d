"""The addresses of clubs and tournaments."""

from typing import Final

from django.urls import URLPattern, path

from tournaments.views import creating, reading, room, settings, slips

app_name = "tournaments"
HERE: Final = "tournaments/<slug:slug>/"
MANAGE: Final = f"{HERE}manage/"

_READING: Final = [
    path("clubs/<slug:slug>/", reading.club, name="club"),
    path("tournaments/", reading.index, name="index"),
    path(HERE, reading.tournament, name="tournament"),
    path(f"{HERE}standings/", reading.standings, name="standings"),
    path(f"{HERE}standings/fragment", reading.standings_fragment, name="standings_fragment"),
    path(f"{HERE}entries/<int:number>/", reading.entry, name="entry"),
]
_SETTINGS: Final = [
    path(f"{HERE}upload/", settings.upload, name="upload"),
    path(f"{MANAGE}settings/", settings.settings, name="settings"),
    path(f"{MANAGE}description/", settings.change_description, name="change_description"),
    path(f"{MANAGE}status/", settings.change_status, name="change_status"),
    path(f"{MANAGE}scoring/", settings.change_scoring, name="change_scoring"),
    path(f"{MANAGE}penalty/", settings.change_penalty, name="change_penalty"),
]
_ROOM: Final = [
    path(MANAGE, room.run, name="manage"),
    path(f"{MANAGE}room/", room.room, name="room"),
    path(f"{MANAGE}room/find/", room.find_match, name="find_match"),
    path(f"{MANAGE}rounds/<int:number>/clock/", room.turn_clock, name="turn_clock"),
    path(f"{HERE}clock/", room.clock, name="clock"),
    path(f"{HERE}clock/now", room.clock_now, name="clock_now"),
    path("matches/<uuid:uid>/state/", room.match_state, name="match_state"),
    path("matches/<uuid:uid>/results/", slips.results, name="results"),
]
_CREATING: Final = [
    path("clubs/<slug:slug>/tournaments/new/", creating.create, name="create"),
    path(f"{MANAGE}forecast/", creating.forecast, name="forecast"),
]
urlpatterns: list[URLPattern] = [*_READING, *_CREATING, *_SETTINGS, *_ROOM]
