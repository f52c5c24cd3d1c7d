"""The addresses of accounts where the site sends mail: one more than where it does not."""

from allauth.account.views import request_login_code
from django.urls import include, path

urlpatterns = [
    path("accounts/login/code/", request_login_code, name="account_request_login_code"),
    path("accounts/", include("courtpiece.accounts.urls")),
    path("accounts/", include("allauth.urls")),
]
