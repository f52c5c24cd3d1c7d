"""The addresses of what was played, in the API."""

from typing import Final

from django.urls import path

from scoring.api import checking, people, sheets

PLAYER: Final = "players/<uuid:uid>"
PARTNERSHIP: Final = "partnerships/<uuid:uid>"
SHEET: Final = "scoresheets/<uuid:uid>"
DEAL: Final = "deals/<uuid:uid>"

urlpatterns = [
    path("players/", people.PlayerList.as_view(), name="api-players"),
    path(PLAYER, people.PlayerDetail.as_view(), name="api-player"),
    path(f"{PLAYER}/history", people.PlayerHistory.as_view(), name="api-player-history"),
    path("partnerships/", people.PartnershipList.as_view(), name="api-partnerships"),
    path(PARTNERSHIP, people.PartnershipDetail.as_view(), name="api-partnership"),
    path(f"{PARTNERSHIP}/record", people.PartnershipRecord.as_view(), name="api-partnership-record"),
    path("scoresheets/", sheets.SheetList.as_view(), name="api-scoresheets"),
    path(SHEET, sheets.SheetDetail.as_view(), name="api-scoresheet"),
    path(f"{SHEET}/deals", sheets.SheetDeals.as_view(), name="api-scoresheet-deals"),
    path(f"{SHEET}/facts", sheets.GameFacts.as_view(), name="api-game-facts"),
    path(f"{SHEET}/link", sheets.GameLink.as_view(), name="api-game-link"),
    path(f"{SHEET}/offer", sheets.GameOffer.as_view(), name="api-game-offer"),
    path("deals/", sheets.DealList.as_view(), name="api-deals"),
    path(DEAL, sheets.DealDetail.as_view(), name="api-deal"),
    path(f"{DEAL}/revisions", sheets.DealRevisions.as_view(), name="api-deal-revisions"),
    path("check", checking.Check.as_view(), name="api-check"),
]
