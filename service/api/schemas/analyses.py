"""Analyses of finished games."""

from __future__ import annotations

from marshmallow import fields, validate

from domain.analysis import MOST_COSTLIEST
from service.api.schemas.base import Answered, many, number, one, one_of, whole
from service.api.schemas.tagged import PlayedActionSchema

STATUSES = ("queued", "running", "done", "failed")


class JudgedDecisionSchema(Answered):
    """A decision, judged from the view that its seat had. `cost`, `interval` and `win` are missing
    for a resignation."""

    version = whole("The version of the entry that the decision became.", 1)
    seat = whole("The seat that decided.")
    played = one(PlayedActionSchema, "The action that was played.")
    best = one(PlayedActionSchema, "The action with the largest mean lead in playouts of `expert`.")
    cost = number("Points of final lead over the best rival that the action played loses, compared "
                  "with `best`, on average over possible worlds.",
                  required=False)
    interval = fields.List(
        fields.Float(), required=False, validate=validate.Length(equal=2),
        metadata={"description": "The 95 % interval of the cost: its lower and its upper end."})
    win = number("The seat's chance of winning after its action, as far as it could know, from 0 "
                 "to 1.", required=False)


class AnalysisSchema(Answered):
    """The analysis of a game."""

    status = one_of(STATUSES, "`failed` if a decision could not be judged, such as on a board "
                              "with a rule that `expert` does not know.")
    progress = number("The share of decisions that are judged, from 0 to 1.")
    decisions = many(JudgedDecisionSchema, "The judged decisions, in order.")
    turning_point = fields.Integer(required=False, allow_none=True, metadata={
        "description": "Once it is done: the version since which the winner's chance of winning "
                       "was larger than everybody else's, each as of the seat's last decision; "
                       "null if it was not at the end."})
    costliest = fields.Dict(
        keys=fields.String(), values=fields.List(fields.Integer()), required=False,
        metadata={"description": f"Once it is done, by seat: the versions of its {MOST_COSTLIEST} "
                                 "costliest moves, the costliest first; only moves whose interval "
                                 "is above 0."})
