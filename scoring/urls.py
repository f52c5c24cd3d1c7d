"""The addresses of scoring's pages."""

from django.urls import path

from scoring.views import games, sheets

app_name = "scoring"

urlpatterns = [
    path("scoresheets/<uuid:uid>/", sheets.scoresheet, name="scoresheet"),
    path("scoresheets/<uuid:uid>/pcn", sheets.scoresheet_pcn, name="scoresheet_pcn"),
    path("scoresheets/<uuid:uid>/record/", sheets.record, name="record"),
    path("deals/<uuid:uid>/", sheets.deal, name="deal"),
    path("deals/<uuid:uid>/pcn", sheets.deal_pcn, name="deal_pcn"),
    path("deals/<uuid:uid>/correct/", sheets.correct, name="correct"),
    path("deals/<uuid:uid>/void/", sheets.void, name="void"),
    path("deals/<uuid:uid>/rule/", sheets.rule, name="rule"),
    path("players/<uuid:uid>/", sheets.player, name="player"),
    path("partnerships/<uuid:uid>/", sheets.partnership, name="partnership"),
    path("games/", games.games, name="games"),
    path("games/<uuid:uid>/", games.game, name="game"),
    path("games/<uuid:uid>/describe/", games.describe, name="game_describe"),
    path("games/<uuid:uid>/link/", games.link, name="game_link"),
    path("games/<uuid:uid>/offer/", games.offer, name="game_offer"),
    path("games/<uuid:uid>/put-away/", games.put_away, name="game_put_away"),
    path("games/shared/<str:secret>/", games.shared, name="shared"),
    path("games/shared/<str:secret>/pcn", games.shared_pcn, name="shared_pcn"),
    path("games/shared/<str:secret>/deals/<int:number>/", games.shared_deal, name="shared_deal"),
    path("clubs/<slug:slug>/games/", games.club_games, name="club_games"),
    path("clubs/games/<uuid:uid>/take/", games.take, name="game_take"),
    path("clubs/games/<uuid:uid>/decline/", games.decline, name="game_decline"),
]
