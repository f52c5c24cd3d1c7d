"""The addresses of tournaments in the API."""

from typing import Final

from django.urls import path

from tournaments.api import confirmations, live, table, views

TOURNAMENT: Final = "tournaments/<slug:slug>"

urlpatterns = [
    path("tournaments/", views.TournamentList.as_view(), name="api-tournaments"),
    path(TOURNAMENT, views.TournamentDetail.as_view(), name="api-tournament"),
    path(f"{TOURNAMENT}/standings", views.Standings.as_view(), name="api-standings"),
    path(f"{TOURNAMENT}/crosstable", views.Crosstable.as_view(), name="api-crosstable"),
    path(f"{TOURNAMENT}/scoresheets", views.TournamentSheets.as_view(), name="api-tournament-scoresheets"),
    path(f"{TOURNAMENT}/deals", views.TournamentDeals.as_view(), name="api-tournament-deals"),
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
