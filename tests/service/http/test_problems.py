"""Every error of ours is answered with one status, from the table that openapi.yaml shows."""

from domain.errors import BrokenHistory, FoggError, Refused
from service import errors
from service.http.problems import PROBLEMS, STATUS


def test_every_error_that_the_service_may_answer_with_has_one_status():
    ours = {
        cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, FoggError)
    } - {FoggError}
    assert set(STATUS) == ours | {Refused, BrokenHistory}
    assert len(STATUS) == sum(len(kind.errors) for kind in PROBLEMS.values())


def test_each_error_describes_valid_values(ada, game, is_problem):
    new = {"board": "usa", "seats": [{"player": "me"}, {"open": True}]}
    for answer in (
        *(
            ada.get(f"/v1/{query}=%20")
            for query in (
                "me/events?after",
                "live?after",
                "histories?after",
                "decisions?after",
                "games?after",
                f"players/{ada.id}/ratings?version",
            )
        ),
        ada.post("/v1/games", new | {"options": {"seed": "0"}}),
        ada.post("/v1/games", new | {"seats": [{"player": "me", "entropy": " "}, {"open": True}]}),
        ada.post("/v1/games", {"fork": {"game": "g_1", "version": 2}, "seats": new["seats"]}),
        ada.post(f"/v1/games/{game}/seats", {"invitation": "x"}),
        ada.post("/v1/games", new | {"seats": [{"player": "me"}, {"invite": "Grace"}]}),
        ada.post("/v1/tournaments", {"name": "Cup", "boards": ["usa"], "starts_at": "soon"}),
    ):
        problem = is_problem(answer, 422, "malformed")
        said = [error["reason"] for error in problem["errors"] if "^" in error["reason"]]
        assert said == []
        assert any(error["reason"].startswith("Should be") for error in problem["errors"]), problem


def test_every_status_that_operations_name_is_described(openapi):
    named = {kind.name: status for status, kind in PROBLEMS.items() if kind.name}
    described = openapi["components"]["responses"]
    assert set(described) <= set(named)
    for name, response in described.items():
        [example] = response["content"]["application/problem+json"]["examples"].values()
        assert example["value"]["status"] == named[name]
        assert example["value"]["title"] == PROBLEMS[named[name]].title
