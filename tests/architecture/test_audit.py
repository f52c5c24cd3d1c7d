"""Every operation leaves a trace that nobody can change: an entry of the log, or a revision of a deal.

Read from the source, by names: an operation that calls nothing that writes one is found; that it writes the right one,
every time, is for its own tests to say.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACES = ("courtpiece/accounts/operations.py", "scoring", "tournaments/operations")
TRACES = frozenset({"write_entry", "NewRevision", "Revision"})

WITHOUT_A_TRACE = {
    "create_collection": "make_tournament, which calls it, writes down that the tournament was made",
    "describe_collection": "change_tournament, which calls it, writes down the change",
    "delay_cards": "change_live_delay, which calls it, writes down the change",
    "create_scoresheets": "whoever makes the round writes it down",
    "remove_unused_scoresheets": "take_back_round, which calls it, writes down that the round was taken back",
    "reseat_scoresheet": "the upload that names the seats records its deals; replace_players writes down the change",
    "seat_substitute": "substitute_player, which calls it, writes down who sits in",
    "find_or_make_partnerships": "whoever enters or records them writes it down",
    "find_or_make_player": "substitute_player, which calls it, writes down who sits in",
    "name_player": "as find_or_make_player: a name alone tells nothing, and what it is used for is written down",
    "name_partnership": "as find_or_make_partnerships",
    "ask_analysis": "changes nothing that was recorded: the row itself says who asked",
    "propose_partnership": "ask_to_play, which calls it, writes down the request",
    "add_events": "tells programs what its caller does and writes down",
    "advance_collection": "changes nothing: what is computed from the collection is behind",
    "set_collection_version": "import_archive, which calls it, writes down that the tournament was taken in",
    "take_people": "import_archive, which calls it, writes down that the tournament was taken in",
    "lock_collection": "make_final, which calls it, writes down the status",
    "rate_collection": "changes nothing that was recorded: ratings follow from the matches",
    "audit_ratings": "changes nothing: it only looks",
    "renew_figures": "changes nothing that was recorded: figures follow from the deals",
    "unlock_collection": "reopen_tournament, which calls it, writes down why",
}
"""Operations that leave none themselves, and who does."""


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    for place in PLACES:
        path = ROOT / place
        files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        for file in files:
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    yield str(file.relative_to(ROOT)), node


def called_in(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names of the functions that are called, of its own module or by the name of another."""
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    own = {called.id for called in calls if isinstance(called, ast.Name)}
    others = {
        called.attr
        for called in calls
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)
    }
    return frozenset(own | others)


def is_operation(function: ast.FunctionDef) -> bool:
    decorators = " ".join(map(ast.unparse, function.decorator_list))
    return "transaction.atomic" in decorators and not function.name.startswith("_")


def test_every_operation_leaves_a_trace() -> None:
    found = list(functions())
    calls: dict[str, frozenset[str]] = {}
    for _file, function in found:
        calls[function.name] = calls.get(function.name, frozenset()) | called_in(function)

    silent = {
        function.name
        for file, function in found
        if "operations" in file and is_operation(function) and not reaches_a_trace(function.name, calls)
    }

    assert silent == set(WITHOUT_A_TRACE)


def reaches_a_trace(name: str, calls: dict[str, frozenset[str]]) -> bool:
    seen, ahead = {name}, [name]
    while ahead:
        names = calls.get(ahead.pop(), frozenset())
        if names & TRACES:
            return True
        ahead += [other for other in names if other in calls and other not in seen]
        seen |= names
    return False
