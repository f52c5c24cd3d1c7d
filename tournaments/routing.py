"""The addresses of the sockets."""

from typing import Any

from django.urls import path

from tournaments.consumers import TournamentConsumer

websocket_urlpatterns: list[Any] = [
    path("ws/tournaments/<slug:slug>/", TournamentConsumer.as_asgi()),
]
