"""Results of a bot's games, as text."""

from dataclasses import dataclass


def trial_text(shown: dict) -> str:
    low, high = (100 * bound for bound in shown["interval"])
    return "\n".join(
        [
            f"{shown['bot']} against {shown['against']} on {shown['board']}, {shown['seats']} "
            f"seats, seed {shown['seed']}",
            f"  won          {shown['wins']:g} of {shown['games']} games: "
            f"{100 * shown['win_share']:.1f} % (95 % sure: {low:.1f} to {high:.1f}; "
            f"even: {100 / shown['seats']:.1f})",
            f"  mean total   {shown['mean_total']} against {shown['mean_total_against']}",
            f"  a decision   {shown['ms_per_decision']:.2f} ms (slowest {shown['slowest_ms']:.1f})",
            f"  speed        {shown['games_per_second']} games a second",
            *([] if shown["complete"] else ["  interrupted: what was not played is missing"]),
        ]
    )


def with_reason(said: str, left: str | None) -> str:
    """Return words about a seat, with the reason why it left its game, if it did."""
    return f"{said} ({'lost on time' if left == 'time' else left})" if left else said


@dataclass
class Tally:
    """The results so far of a running bot; a shared victory counts as a fraction."""

    games: int = 0
    wins: float = 0
    faults: int = 0

    def count(self, event: str, members: dict) -> None:
        self.games += event == "over"
        self.wins += members["won"] if event == "over" else 0
        self.faults += event == "fault"

    def line_about(self, event: str, members: dict) -> str | None:
        """Return a line about an event; a game that is over has the tally after it."""
        game = f"game {members.get('game')}"
        match event:
            case "over":
                word = {0: "lost", 1: "won"}.get(members["won"], "shared")
                rows = zip(members["players"], members["totals"], members["left"], strict=True)
                scores = ", ".join(with_reason(f"{who} {total}", left) for who, total, left in rows)
                return f"{word:6} {game} on {members['board']}: {scores}; {self.line()}"
            case "fault":
                chose = f"\n  It chose {members['action']}" if members["action"] else ""
                left = "the game was resigned" if members["resigned"] else "the game is left as is"
                return (
                    f"fault  {game}, version {members['version']}: {members['what']}{chose}\n"
                    f"  So {left}"
                )
            case "tested":
                return f"tested in {game}: " + ", ".join(map(str, members["totals"]))
            case "paused":
                return f"paused: {members['detail']}"
            case "waiting":
                one = members["games"] == 1
                return f"waiting for the end of {members['games']} other game{'' if one else 's'}"
            case "joined":
                return f"joined {game}"
            case "called_off":
                return f"{game} was aborted ({members['ending']})"
        return None

    def summary(self) -> dict:
        return {"games": self.games, "wins": round(self.wins, 3), "faults": self.faults}

    def line(self) -> str:
        faults = f", {self.faults} with a fault" if self.faults else ""
        return f"{self.wins:g} of {self.games} won{faults}"
