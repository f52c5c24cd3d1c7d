"""The addresses of tournaments in the API."""

from typing import Final

from django.urls import path

from tournaments.api import archives, confirmations, events, live, running, standings, table, views

TOURNAMENT: Final = "tournaments/<slug:slug>"

urlpatterns = [
    path("tournaments/", views.TournamentList.as_view(), name="api-tournaments"),
    path(TOURNAMENT, views.TournamentDetail.as_view(), name="api-tournament"),
    path(f"{TOURNAMENT}/standings", standings.Standings.as_view(), name="api-standings"),
    path(f"{TOURNAMENT}/crosstable", standings.Crosstable.as_view(), name="api-crosstable"),
    path(f"{TOURNAMENT}/entries", running.TournamentEntries.as_view(), name="api-tournament-entries"),
    path(f"{TOURNAMENT}/sessions", running.TournamentSessions.as_view(), name="api-tournament-sessions"),
    path(f"{TOURNAMENT}/rounds", running.TournamentRounds.as_view(), name="api-tournament-rounds"),
    path(f"{TOURNAMENT}/archive", archives.TournamentArchive.as_view(), name="api-archive"),
    path(f"{TOURNAMENT}/scoresheets", views.TournamentSheets.as_view(), name="api-tournament-scoresheets"),
    path(f"{TOURNAMENT}/deals", views.TournamentDeals.as_view(), name="api-tournament-deals"),
    path(f"{TOURNAMENT}/events", events.TournamentEvents.as_view(), name="api-tournament-events"),
    path("clubs/<slug:slug>/archives", archives.ClubArchives.as_view(), name="api-club-archives"),
    path("archive.schema.json", archives.ArchiveSchema.as_view(), name="api-archive-schema"),
    path("sessions/", views.SessionList.as_view(), name="api-sessions"),
    path("sessions/<uuid:uid>", views.SessionDetail.as_view(), name="api-session"),
    path("rounds/", views.RoundList.as_view(), name="api-rounds"),
    path("rounds/<uuid:uid>", views.RoundDetail.as_view(), name="api-round"),
    path("matches/", views.MatchList.as_view(), name="api-matches"),
    path("table", table.TableView.as_view(), name="api-table"),
    path("table/confirmations", confirmations.ConfirmationsView.as_view(), name="api-table-confirmations"),
    path("table/live", live.LiveView.as_view(), name="api-table-live"),
    path("sync", table.SyncView.as_view(), name="api-sync"),
    path("matches/<uuid:uid>", views.MatchDetail.as_view(), name="api-match"),
]
