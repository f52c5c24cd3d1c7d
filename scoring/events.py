"""What is written down of players and games; deals have revisions. The words for people are in `project.words`."""

from enum import StrEnum


class Event(StrEnum):
    """Something that was done to a player or to a game, as the log keeps it: the club's, or the owner's own."""

    PLAYER_ANONYMISED = "player-anonymised"
    PLAYER_LINKED = "player-linked"
    PLAYER_HIDDEN = "player-hidden"
    PLAYER_SHOWN = "player-shown"
    PLAYERS_MERGED = "players-merged"
    PLAYERS_PARTED = "players-parted"
    PERSON_ASKED = "person-asked"
    PERSON_ASKED_NO_MORE = "person-asked-no-more"
    PERSON_DECLINED = "person-declined"
    GAME_RECORDED = "game-recorded"
    GAME_DESCRIBED = "game-described"
    GAME_SHARED = "game-shared"
    GAME_UNSHARED = "game-unshared"
    GAME_PUT_AWAY = "game-put-away"
    GAME_TAKEN_OUT = "game-taken-out"
    GAME_OFFERED = "game-offered"
    GAME_OFFER_TAKEN_BACK = "game-offer-taken-back"
    GAME_TAKEN = "game-taken"
    GAME_DECLINED = "game-declined"
