"""The addresses of what was played, in the API."""

from typing import Final

from django.urls import path

from scoring.api import analyses, checking, people, ratings, sheets, statistics

PLAYER: Final = "players/<uuid:uid>"
PARTNERSHIP: Final = "partnerships/<uuid:uid>"
SHEET: Final = "scoresheets/<uuid:uid>"
CLUB_STATISTICS: Final = "clubs/<slug:slug>/statistics"
DEAL: Final = "deals/<uuid:uid>"

urlpatterns = [
    path("players/", people.PlayerList.as_view(), name="api-players"),
    path(PLAYER, people.PlayerDetail.as_view(), name="api-player"),
    path(f"{PLAYER}/history", people.PlayerHistory.as_view(), name="api-player-history"),
    path(f"{PLAYER}/rating", ratings.PlayerRating.as_view(), name="api-player-rating"),
    path("partnerships/", people.PartnershipList.as_view(), name="api-partnerships"),
    path(PARTNERSHIP, people.PartnershipDetail.as_view(), name="api-partnership"),
    path(f"{PARTNERSHIP}/record", people.PartnershipRecord.as_view(), name="api-partnership-record"),
    path(f"{PARTNERSHIP}/rating", ratings.PartnershipRating.as_view(), name="api-partnership-rating"),
    path("clubs/<slug:slug>/ratings", ratings.ClubRatings.as_view(), name="api-club-ratings"),
    path("scoresheets/", sheets.SheetList.as_view(), name="api-scoresheets"),
    path(SHEET, sheets.SheetDetail.as_view(), name="api-scoresheet"),
    path(f"{SHEET}/deals", sheets.SheetDeals.as_view(), name="api-scoresheet-deals"),
    path(f"{SHEET}/facts", sheets.GameFacts.as_view(), name="api-game-facts"),
    path(f"{SHEET}/link", sheets.GameLink.as_view(), name="api-game-link"),
    path(f"{SHEET}/offer", sheets.GameOffer.as_view(), name="api-game-offer"),
    path("deals/", sheets.DealList.as_view(), name="api-deals"),
    path(DEAL, sheets.DealDetail.as_view(), name="api-deal"),
    path(f"{DEAL}/analysis", analyses.DealAnalysisView.as_view(), name="api-deal-analysis"),
    path(f"{DEAL}/replay", sheets.DealReplay.as_view(), name="api-deal-replay"),
    path(f"{DEAL}/revisions", sheets.DealRevisions.as_view(), name="api-deal-revisions"),
    path("statistics", statistics.Statistics.as_view(), name="api-statistics"),
    path("statistics/players", statistics.Players.as_view(), name="api-statistics-players"),
    path("statistics/hall-of-fame", statistics.Hall.as_view(), name="api-statistics-hall"),
    path(CLUB_STATISTICS, statistics.ClubStatistics.as_view(), name="api-club-statistics"),
    path(f"{CLUB_STATISTICS}/players", statistics.ClubPlayers.as_view(), name="api-club-statistics-players"),
    path(f"{CLUB_STATISTICS}/hall-of-fame", statistics.ClubHall.as_view(), name="api-club-statistics-hall"),
    path("check", checking.Check.as_view(), name="api-check"),
]
