"""The site without its sockets, for a server that answers pages and the API faster than ASGI does."""

import os

from django.core.wsgi import get_wsgi_application

from courtpiece.project.charsets import OnlyUtf8Wsgi

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courtpiece.project.settings")

application = OnlyUtf8Wsgi(get_wsgi_application())
