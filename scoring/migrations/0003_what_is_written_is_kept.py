from django.db import migrations

from courtpiece.accounts.guards import append_only, guarded, locked

LOCKED = "its collection is locked"
SHEETS = (
    "EXISTS (SELECT 1 FROM scoring_collection c WHERE c.id = {row}.collection_id AND c.is_locked)"
)
OF_A_SHEET = (
    "EXISTS (SELECT 1 FROM scoring_scoresheet s JOIN scoring_collection c ON c.id = s.collection_id "
    "WHERE s.id = {row}.scoresheet_id AND c.is_locked)"
)
OF_A_DEAL = (
    "EXISTS (SELECT 1 FROM scoring_deal d JOIN scoring_scoresheet s ON s.id = d.scoresheet_id "
    "JOIN scoring_collection c ON c.id = s.collection_id WHERE d.id = {row}.deal_id AND c.is_locked)"
)
OF_A_REVISION = (
    "EXISTS (SELECT 1 FROM scoring_revision r JOIN scoring_deal d ON d.id = r.deal_id "
    "JOIN scoring_scoresheet s ON s.id = d.scoresheet_id JOIN scoring_collection c ON c.id = s.collection_id "
    "WHERE r.id = {row}.revision_id AND c.is_locked)"
)
SHEET_COLUMNS = (
    "id", "uid", "club_id", "collection_id", "ns_id", "ew_id", "north_id", "south_id", "east_id", "west_id",
    "rules", "event", "site", "date", "round", '"table"', "source", "created_at", "version", "deals_count",
    "problem_deals", "courts_ns", "courts_ew", "deals_ns", "deals_ew", "bavneys_ns", "bavneys_ew",
    "goon_courts_ns", "goon_courts_ew", "revokes_ns", "revokes_ew", "runs_ns", "runs_ew", "next_dealer",
)
# All but the visibility: what is final can still be shown or hidden.

GUARDS = (
    *append_only("scoring_operation"),
    *append_only("scoring_revision", unique=("deal_id", "number")),
    *append_only("scoring_ruling", key="revision_id"),
    locked("scoring_scoresheet", SHEETS, message=LOCKED, columns=SHEET_COLUMNS),
    locked("scoring_deal", OF_A_SHEET, message=LOCKED, is_of_many=True),
    locked("scoring_operation", OF_A_SHEET, message=LOCKED, only=("INSERT",), is_of_many=True),
    locked("scoring_revision", OF_A_DEAL, message=LOCKED, only=("INSERT",), is_of_many=True),
    locked("scoring_ruling", OF_A_REVISION, message=LOCKED, only=("INSERT",)),
)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0002_locked_collections")]
    operations = [guarded(GUARDS)]
