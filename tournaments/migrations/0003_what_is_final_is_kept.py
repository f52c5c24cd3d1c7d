from django.db import migrations

from courtpiece.accounts.guards import append_only, guarded, locked

FINAL = "its tournament is final"
OF_A_TOURNAMENT = (
    "EXISTS (SELECT 1 FROM tournaments_tournament t WHERE t.id = {row}.tournament_id AND t.status = 'final')"
)


def through(table: str, column: str) -> str:
    return (
        f"EXISTS (SELECT 1 FROM {table} o JOIN tournaments_tournament t ON t.id = o.tournament_id "
        f"WHERE o.id = {{row}}.{column} AND t.status = 'final')"
    )


OF_A_MATCH = (
    "EXISTS (SELECT 1 FROM tournaments_match m JOIN tournaments_round o ON o.id = m.round_id "
    "JOIN tournaments_tournament t ON t.id = o.tournament_id WHERE m.id = {row}.match_id AND t.status = 'final')"
)
REGULATIONS = (
    "slug", "club_id", "collection_id", "format", "plan", "rules", "ranking", "points", "tiebreaks", "lot_seed",
    "rules_version", "created_by_id", "created_at",
)
# A final tournament can still be renamed, hidden and reopened.

GUARDS = (
    *append_only("tournaments_ruling", unique=("tournament_id", "number")),
    *append_only("tournaments_appealstep", unique=("ruling_id", "number")),
    *append_only("tournaments_act"),
    *append_only("tournaments_pastregulations", unique=("tournament_id", "version")),
    locked(
        "tournaments_tournament",
        "{row}.status = 'final'",
        message="it is final",
        columns=REGULATIONS,
        only=("UPDATE", "DELETE"),
    ),
    *(
        locked(f"tournaments_{name}", OF_A_TOURNAMENT, message=FINAL)
        for name in ("session", "entry", "wish", "round", "draft")
    ),
    *(
        locked(f"tournaments_{name}", OF_A_TOURNAMENT, message=FINAL, only=("INSERT",))
        for name in ("ruling", "pastregulations")
    ),
    locked("tournaments_appealstep", through("tournaments_ruling", "ruling_id"), message=FINAL, only=("INSERT",)),
    locked("tournaments_absence", through("tournaments_entry", "entry_id"), message=FINAL),
    *(
        locked(f"tournaments_{name}", through("tournaments_round", "round_id"), message=FINAL)
        for name in ("match", "bye", "roundclock")
    ),
    locked("tournaments_substitution", OF_A_MATCH, message=FINAL),
)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_running_a_competition"), ("scoring", "0003_what_is_written_is_kept")]
    operations = [guarded(GUARDS)]
