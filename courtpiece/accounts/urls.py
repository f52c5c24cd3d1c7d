"""The addresses of accounts. Signing in and out is allauth's; a club's public page belongs to tournaments."""

from django.urls import path

from courtpiece.accounts import views

app_name = "accounts"
urlpatterns = [
    path("", views.profile, name="profile"),
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke/", views.token_revoke, name="token_revoke"),
    path("clubs/new/", views.club_create, name="club_create"),
    path("club/<slug:slug>/", views.club_edit, name="club_edit"),
    path("club/<slug:slug>/members/", views.members, name="members"),
    path("club/<slug:slug>/members/<int:user_id>/role/", views.member_role, name="member_role"),
    path("club/<slug:slug>/members/<int:user_id>/remove/", views.member_remove, name="member_remove"),
    path("club/<slug:slug>/log/", views.log, name="log"),
]
