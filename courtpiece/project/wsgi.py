"""The site without its sockets, for a server that answers pages and the API faster than ASGI does."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courtpiece.project.settings")

application = get_wsgi_application()
