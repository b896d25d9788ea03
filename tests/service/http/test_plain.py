"""If a plain reader accepts a value, the schema loads it to the same value."""

from random import Random

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError, fields, validate

from domain.boards import load_folder
from service.games.schemas.playing import ActionSchema, ActionsRequestSchema
from service.http.plain import UNDECIDED, reader_of
from service.http.requests import json_in
from service.http.schemas.base import Asked, Counts, EachAlone, Fits, Truth, Union, Whole
from tools.games import create_command, random_game

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=3,
)


def subclasses(cls: type) -> set[type]:
    return {cls, *(deeper for each in cls.__subclasses__() for deeper in subclasses(each))}


SCHEMAS = sorted(subclasses(Asked) | subclasses(Union) - {Union}, key=lambda cls: cls.__name__)


def value_for(schema) -> st.SearchStrategy:
    """Values that a schema may load, or nearly."""
    if isinstance(schema, Union):
        return st.one_of([value_for(member()) for member in schema.members.values()])
    known = {
        field.data_key or name: value_of(field) | JUNK if field.required else value_of(field)
        for name, field in schema.load_fields.items()
    }
    needed = {name for name, field in schema.load_fields.items() if field.required}
    right = st.fixed_dictionaries(
        {name: value for name, value in known.items() if name in needed},
        optional={name: value for name, value in known.items() if name not in needed},
    )
    return right | st.builds(
        lambda one, more: one | more,
        right,
        st.dictionaries(st.sampled_from([*known, "strange"]), JUNK, max_size=1),
    )


def value_of(field) -> st.SearchStrategy:
    """Values of a field that it may take, or nearly."""
    for check in field.validators:
        if isinstance(check, validate.OneOf):
            return st.sampled_from(list(check.choices))
        if isinstance(check, Fits):
            return st.from_regex(check.regex)
    if type(field) is fields.Nested:
        return value_for(field.schema)
    if isinstance(field, fields.List | EachAlone):
        return st.lists(value_of(field.inner) | JUNK, max_size=3) | st.lists(
            value_of(field.inner), max_size=3
        )
    if type(field) is Counts:
        return st.dictionaries(st.text(max_size=3), st.integers(-1, 100) | JUNK, max_size=2)
    if type(field) is Whole:
        return st.integers(-2, 2**31) | st.just(2.0)
    if type(field) is Truth:
        return st.booleans()
    return st.text(max_size=5) if type(field) is fields.String else JUNK


def same(value, loaded) -> bool:
    if isinstance(value, ValidationError):
        return isinstance(loaded, ValidationError) and value.messages == loaded.messages
    if isinstance(value, dict | list):
        return (
            type(value) is type(loaded)
            and len(value) == len(loaded)
            and all(
                same(value[key], loaded[key])
                for key in (value if isinstance(value, dict) else range(len(value)))
            )
        )
    return type(value) is type(loaded) and value == loaded


@pytest.mark.parametrize("cls", SCHEMAS, ids=lambda cls: cls.__name__)
def test_the_schema_loads_what_a_plain_reader_accepts_to_the_same_value(cls):
    schema = cls()
    read = reader_of(schema)

    # for each of some fifty schemas; how long it takes says nothing
    @settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
    @given(value_for(schema) | JUNK)
    def check(value):
        result = read(value)
        if result is not UNDECIDED:
            assert same(result, schema.load(value))

    check()


@pytest.mark.parametrize("board", load_folder().values(), ids=lambda board: board.id)
def test_every_legal_action_is_read_without_asking_the_schema(board):
    read, alone = reader_of(ActionSchema()), reader_of(ActionsRequestSchema())
    rng = Random(1)
    for _seat, action, _, state in random_game(board, create_command(3, bytes(32)), rng):
        if action is not None:
            sent = json_in(orjson.dumps(action.json))
            assert read(sent) is not UNDECIDED
            item = {"game": state.id, "action": sent, "if_match": 3, "key": "mine"}
            assert alone({"items": [item, {"game": state.id}]}) is not UNDECIDED
    assert read({"type": "resign", "note": "enough"}) is not UNDECIDED


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"b": {"a": 1, "a": 2}}',
        '[[{"a": 1, "c": 0, "a": 2}]]',
        '{"a": ":", "b": 1, "b": ":"}',
    ],
)
def test_a_member_that_is_there_twice_is_found_at_any_depth(text):
    with pytest.raises(ValidationError, match="more than once"):
        json_in(text)
    with pytest.raises(ValidationError, match="more than once"):
        json_in(text.encode())


@pytest.mark.parametrize("text", ['{"a": "b:c", "d": [{"a": ":"}]}', '":"', "[]", '{"a:": {}}'])
def test_colons_in_texts_are_no_members(text):
    assert json_in(text) is not None
