"""The game: boards, rules, histories and views, independent of any service.

Start at ``game``: ``create``, ``decide``, ``evolve``, ``replay``. ``legal`` lists a seat's legal
actions, and ``view`` returns a viewer's view. Nothing here reads a clock, a running game's file, a
socket or a random source: all randomness comes from the seed with which a game is created.
"""
