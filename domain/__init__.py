"""The game itself: boards, rules, histories and views, free of any service.

Start at ``game``: ``create``, ``decide``, ``evolve``, ``replay``. Then ``legal`` lists what a seat
may do and ``view`` says what a viewer may see. Nothing here reads a clock, a file of a running
game, a socket or a random source: chance comes from the seed that a game is created with.
"""
