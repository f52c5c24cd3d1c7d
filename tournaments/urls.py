"""The addresses of clubs and tournaments."""

from typing import Final

from django.urls import URLPattern, path

from tournaments import views

app_name = "tournaments"
MANAGE: Final = "tournaments/<slug:slug>/manage/"
urlpatterns: list[URLPattern] = [
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("clubs/<slug:slug>/tournaments/new/", views.tournament_create, name="create"),
    path("tournaments/", views.index, name="index"),
    path("tournaments/<slug:slug>/", views.tournament, name="tournament"),
    path("tournaments/<slug:slug>/standings/", views.standings, name="standings"),
    path("tournaments/<slug:slug>/standings/fragment", views.standings_fragment, name="standings_fragment"),
    path("tournaments/<slug:slug>/entries/<int:number>/", views.entry, name="entry"),
    path("tournaments/<slug:slug>/upload/", views.upload, name="upload"),
    path(MANAGE, views.manage, name="manage"),
    path(f"{MANAGE}description/", views.change_description, name="change_description"),
    path(f"{MANAGE}status/", views.change_status, name="change_status"),
    path(f"{MANAGE}scoring/", views.change_scoring, name="change_scoring"),
    path(f"{MANAGE}penalty/", views.change_penalty, name="change_penalty"),
    path("matches/<uuid:uid>/state/", views.match_state, name="match_state"),
]
