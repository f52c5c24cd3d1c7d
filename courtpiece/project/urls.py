"""The site's addresses: the apps bring theirs."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.utils.translation import gettext_lazy as _

from courtpiece.project import styleguide, views

admin.site.site_header = _("Court Piece")
admin.site.site_title = _("Court Piece")
# Without this a password alone would sign in to the administration, past a second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # as allauth says to

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("accounts/", include("courtpiece.accounts.urls")),
    path("accounts/", include("allauth.urls")),
    path("api/v1/", include("courtpiece.project.api")),
    path("", include("tournaments.urls")),
    path("", include("scoring.urls")),
]
if settings.DEBUG:
    urlpatterns.append(path("styleguide/", styleguide.styleguide, name="styleguide"))

handler400 = "courtpiece.project.errors.bad_request"
handler403 = "courtpiece.project.errors.forbidden"
handler404 = "courtpiece.project.errors.not_found"
handler500 = "courtpiece.project.errors.server_error"
