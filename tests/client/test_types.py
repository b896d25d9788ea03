"""The types of views and actions for bots match openapi.yaml."""

from typing import is_typeddict

import pytest
from fogg_client import types

from tools.generators.client_types import names, schemas

OBJECTS = [name for name, kind in vars(types).items() if is_typeddict(kind)]


@pytest.fixture(scope="module")
def described():
    return schemas()


def test_every_object_is_a_type(described):
    objects = [name for name in names(described) if described[name].get("type") == "object"]
    assert objects == OBJECTS


@pytest.mark.parametrize("name", OBJECTS)
def test_a_type_has_the_members_of_its_schema_required_and_optional(name, described):
    kind, schema = getattr(types, name), described[name]
    assert kind.__required_keys__ == set(schema.get("required", ()))
    assert kind.__required_keys__ | kind.__optional_keys__ == schema["properties"].keys()


def test_an_action_is_one_of_those_that_can_be_posted(described):
    assert {kind.__name__ for kind in types.Action.__args__} == {
        part["$ref"].rpartition("/")[2] for part in described["Action"]["oneOf"]
    }
