"""The addresses of clubs and tournaments."""

app_name = "tournaments"
urlpatterns = []
