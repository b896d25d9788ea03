"""What other sites show for a link to a tournament."""

from __future__ import annotations

from service.feature import Services
from service.tournaments.tournaments import Tournaments

MAX_NAMES = 40  # entrants that are named
WORDS = {"en": "Tournament, {} entered: {}", "de": "Turnier, {} angemeldet: {}"}


def preview(services: Services, tournament_id: str, language: str) -> tuple[str, str]:
    """Return the title and the sentence."""
    state = services.find(Tournaments).get(tournament_id).state
    rows = [{"player": state.entrants[entrant].player.as_json()} for entrant in state.active]
    services.games.store.deleted.hide(rows)
    names = [row["player"]["name"] for row in rows]
    more = ["…"] if len(names) > MAX_NAMES else []
    return state.settings.name, WORDS.get(language, WORDS["en"]).format(
        len(names), ", ".join([*names[:MAX_NAMES], *more]))
