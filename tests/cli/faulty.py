"""Bots with faults, for commands that play with a bot; also copied into the folder of a user."""

import os
import time
from pathlib import Path

from fogg_client import Bot


class First(Bot):
    def choose(self, view):
        assert self.board["id"] == view["board"]
        claims = [a for a in view["you"]["legal_actions"] if a["type"] == "claim_route"]
        return (claims or view["you"]["legal_actions"])[0]


class Raises(Bot):
    def choose(self, view):
        return view["you"]["legal_actions"][0] if view["version"] < 6 else view["nothing"]


class Illegal(Bot):
    def choose(self, view):
        if view["version"] < 6 or view["deciding"][0]["decision"] != "turn":
            return view["you"]["legal_actions"][0]
        return {"type": "claim_route", "route": "boston--new-york", "cards": {"green": 2}}


class Malformed(Bot):
    def choose(self, view):
        return {"type": "fly"}


class Exits(Bot):
    def choose(self, view):
        exit("enough")


class Dies(Bot):
    def choose(self, view):
        os._exit(1)


class Thinks(Bot):
    def choose(self, view):
        print("I think")
        time.sleep(1000)


class Silent(Bot):
    def choose(self, view):
        return None


class Resigns(Bot):
    def choose(self, view):
        return {"type": "resign"}


class Chooseless(Bot):
    pass


class Timely(First):
    @classmethod
    def decline(cls, game):
        return None if "per_decision" in game["clock"] else "clock"


class Demanding(First):
    def __init__(self, a, b, c):
        pass


class Unmade(First):
    """A bot that cannot be made while there is a file."""

    def __init__(self):
        if Path(os.environ["FULL"]).exists():
            raise OSError("no room")


class Timed(First):
    """A bot with levels, which it notes."""

    def __init__(self, board, rng, seconds=1.0):
        self.seconds = seconds

    def choose(self, view):
        return super().choose(view) | {"note": f"{self.seconds} s"}


nothing = 3
