"""Every error of ours is answered with one status, from the table that openapi.yaml shows."""

from domain.errors import BrokenHistory, FoggError, Refused
from service import errors
from service.api.problems import PROBLEMS, STATUS


def test_every_error_that_the_service_may_answer_with_has_one_status():
    ours = {cls for cls in vars(errors).values()
            if isinstance(cls, type) and issubclass(cls, FoggError)} - {FoggError}
    assert set(STATUS) == ours | {Refused, BrokenHistory}
    assert len(STATUS) == sum(len(kind.errors) for kind in PROBLEMS.values())


def test_every_status_that_operations_name_is_described(openapi):
    named = {kind.name: status for status, kind in PROBLEMS.items() if kind.name}
    described = openapi["components"]["responses"]
    assert set(described) <= set(named)
    for name, response in described.items():
        [example] = response["content"]["application/problem+json"]["examples"].values()
        assert example["value"]["status"] == named[name]
        assert example["value"]["title"] == PROBLEMS[named[name]].title
