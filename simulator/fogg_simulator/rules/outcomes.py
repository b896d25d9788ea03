"""The outcomes of a played action: the seat goes on, or its turn is over.

In ``domain`` a rule calls what follows itself. Here it returns an outcome and ``fold`` does what
follows, so that each piece of code is compiled once.
"""

GO_ON = 0  # the same decision goes on, or another one of the same seat is due
TURN_OVER = 1
PAID = 2  # the turn is over and has added to the discards: the row is filled first
CHOSEN = 3  # a seat has chosen its first tickets
