"""Clients that follow games on streams that are cut, and record the entries."""

from __future__ import annotations

import json
import threading
import time

from tools.faults.callers import Caller, Refused, Round
from tools.faults.ledger import SAID, Heard
from tools.faults.players import Table


class Watcher(threading.Thread):
    """Follows the games of a table on streams, as nobody in particular."""

    def __init__(self, common: Round, table: Table):
        super().__init__(name=f"watcher {table.number}", daemon=True)
        self.common, self.table, self.ledger = common, table, common.ledger
        self.caller = Caller(-1 - table.number, common)

    def run(self) -> None:
        watched = None
        while not (self.common.is_ending.is_set() and self.table.game in (watched, None)):
            if self.table.game in (watched, None):
                time.sleep(0.05)
                continue
            watched = self.table.game
            self._watch(Heard(watched))

    def _watch(self, heard: Heard) -> None:
        """Follow a game until it is over, or given up."""
        self.ledger.heard.append(heard)
        is_over = False
        while not is_over and heard.game not in self.ledger.stuck.keys() | self.ledger.gone:
            last = heard.entries[-1][0] if heard.entries else 0
            try:
                for message in self.caller.stream(f"/v1/games/{heard.game}/events", last):
                    is_over = self._take(heard, message) or is_over
                    if heard.game in self.ledger.stuck:
                        return
            except Refused as refused:
                if refused.status == 204:
                    return
                if refused.code in SAID:
                    self.ledger.said[heard.game] += 1
                    heard.entries.clear()
            time.sleep(0.05)

    def _take(self, heard: Heard, message) -> bool:
        """Take a message; return whether the game is over."""
        data = json.loads(message.data)
        if message.event == "lost":
            self.ledger.said[heard.game] += 1
            heard.entries = [row for row in heard.entries if row[0] <= data["version"]]
        if message.event != "entry":
            self.ledger.note_text(self.caller.number, message.data)
            return data.get("status") == "finished"
        self.ledger.note_text(self.caller.number, message.data)
        self.ledger.note_entries(heard.game, None, [data])
        last = heard.entries[-1][0] if heard.entries else 0
        if data["version"] != last + 1:
            heard.problems.append(f"{heard.game}: {data['version']} came after {last}")
        heard.entries.append((data["version"], data["hash"]))
        return data["events"][-1]["type"] == "game_ended"
