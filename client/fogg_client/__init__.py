"""An HTTP client of Fogg, the base class of bots, and their runner.

from fogg_client import Bot, Client
"""

from fogg_client.bot import Bot
from fogg_client.client import Client
from fogg_client.groups import actions_of, expanded
from fogg_client.problems import NoStream, Problem
from fogg_client.reader import Message
from fogg_client.types import Action, Board, Notice, View

__all__ = [
    "Action",
    "Board",
    "Bot",
    "Client",
    "Message",
    "NoStream",
    "Notice",
    "Problem",
    "View",
    "actions_of",
    "expanded",
]
