"""The site with its sockets."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courtpiece.project.settings")

django.setup(set_prefix=False)

from channels.auth import AuthMiddlewareStack  # noqa: E402 - needs the app registry
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402 - needs the app registry

from courtpiece.project.charsets import OnlyUtf8  # noqa: E402 - needs the app registry
from courtpiece.project.handler import OneThreadHandler  # noqa: E402 - needs the app registry
from courtpiece.project.lifespan import lifespan  # noqa: E402 - needs the app registry
from courtpiece.project.limits import LimitedBody  # noqa: E402 - needs the app registry
from courtpiece.project.origin import SameOrigin  # noqa: E402 - needs the app registry
from tournaments.consumers.base import PlainSend  # noqa: E402 - needs the app registry
from tournaments.routing import websocket_urlpatterns  # noqa: E402 - needs the app registry

application = ProtocolTypeRouter(
    {
        "http": LimitedBody(OnlyUtf8(OneThreadHandler()), most_bytes=settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
        "lifespan": lifespan,
        "websocket": PlainSend(SameOrigin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
    }
)
