"""The addresses of the sockets."""

from typing import Any

from django.urls import path, re_path

from tournaments.consumers import (
    EventsConsumer,
    NowhereConsumer,
    RoomConsumer,
    TableConsumer,
    TournamentConsumer,
)

websocket_urlpatterns: list[Any] = [
    path("ws/tournaments/<slug:slug>/", TournamentConsumer.as_asgi()),
    path("ws/tournaments/<slug:slug>/room/", RoomConsumer.as_asgi()),
    path("ws/tournaments/<slug:slug>/events/", EventsConsumer.as_asgi()),
    path("ws/tournaments/<slug:slug>/tables/<path:table>/", TableConsumer.as_asgi()),
    re_path("", NowhereConsumer.as_asgi()),
]
