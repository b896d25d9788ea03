"""The terms of a game: who made it, who may see it, and where it belongs. They are the service's:
the domain carries them from the first event, and no rule or view reads them."""

from dataclasses import dataclass
from typing import Literal

from domain.codec import Json
from domain.game.events import GameCreated, Pairing, Place, Table


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms in ``GameCreated``, with defaults for missing ones. ``spectators``: whether those
    without a seat may watch; ``rating_rules``: the version of the rules that rate the game."""

    creator: str = ""  # an account's id, or a tournament's
    visibility: Literal["public", "unlisted", "private"] = "public"
    spectators: bool = True
    tournament: Place | None = None
    pool: Pairing | None = None
    rating_rules: int = 1

    @staticmethod
    def of(event: GameCreated) -> "Terms":
        return Terms(
            event.creator,
            event.visibility or "public",
            event.spectators is not False,
            event.tournament,
            event.pool,
            event.rating_rules or 1,
        )

    def shown(self) -> Json:
        """Return the members of a view that show the terms."""
        shown: Json = {"creator": self.creator}
        if self.visibility != "public":
            shown["visibility"] = self.visibility
        if not self.spectators:
            shown["spectators"] = False
        if self.table:
            shown["tournament"] = self.table
        if pairing := self.pool:
            shown["pool"] = {"id": pairing["id"]} | ({"test": True} if pairing.get("test") else {})
        return shown

    @property
    def table(self) -> Table | None:
        """The game's table in a tournament, without the ids of the deal's games."""
        place = self.tournament
        return place and {"id": place["id"], "round": place["round"], "table": place["table"]}

    @property
    def deal(self) -> list[str]:
        """The ids of all games of the deal, where a tournament or the pool has paired it."""
        place = self.tournament or self.pool
        return place["games"] if place else []


NO_TERMS = Terms()  # before the first event
