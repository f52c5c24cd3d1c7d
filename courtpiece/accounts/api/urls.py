"""The addresses of clubs in the API."""

from django.urls import path

from courtpiece.accounts.api import clubs

urlpatterns = [
    path("clubs/", clubs.ClubList.as_view(), name="api-clubs"),
    path("clubs/<slug:slug>", clubs.ClubDetail.as_view(), name="api-club"),
]
