"""The addresses of the sockets."""

websocket_urlpatterns = []
