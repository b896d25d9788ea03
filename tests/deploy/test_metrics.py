"""docs/operations.md names the metrics that there are, and the alerts and the dashboard ask for
them."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.app import create_app
from service.http import metrics
from service.redis.connection import connect
from tests.deploy.parts import METRICS


@pytest.fixture
def shown(redis_server):
    """Return the metrics of a service that has just started: name -> type."""
    with connect(redis_server.url) as redis:
        text = create_app(redis).test_client().get("/metrics").text
    # of a counter the parser takes off what its samples' names end in
    return {family.name + "_total" * (family.type == "counter"): family.type
            for family in text_string_to_metric_families(text)
            if family.name.startswith("fogg_") and not family.name.endswith("_created")}


def test_the_page_on_operation_names_every_metric_and_no_other(shown):
    assert shown.keys() == METRICS.keys()


def test_the_page_on_operation_names_every_label():
    labelled = {name: made._labelnames for made, names in
                metrics.COUNTED._collector_to_names.items() for name in names if name in METRICS}
    assert labelled
    assert {name: METRICS[name] for name in labelled} == labelled
