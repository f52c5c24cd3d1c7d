"""The addresses of scoring's pages."""

from django.urls import path

from scoring import views

app_name = "scoring"

urlpatterns = [
    path("scoresheets/<uuid:uid>/", views.scoresheet, name="scoresheet"),
    path("scoresheets/<uuid:uid>/pcn", views.scoresheet_pcn, name="scoresheet_pcn"),
    path("scoresheets/<uuid:uid>/record/", views.record, name="record"),
    path("deals/<uuid:uid>/", views.deal, name="deal"),
    path("deals/<uuid:uid>/pcn", views.deal_pcn, name="deal_pcn"),
    path("deals/<uuid:uid>/correct/", views.correct, name="correct"),
    path("deals/<uuid:uid>/void/", views.void, name="void"),
    path("deals/<uuid:uid>/rule/", views.rule, name="rule"),
    path("players/<uuid:uid>/", views.player, name="player"),
    path("partnerships/<uuid:uid>/", views.partnership, name="partnership"),
]
