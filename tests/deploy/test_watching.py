"""docs/operations.md names the metrics that there are, the alerts and the dashboard ask for them,
and the alerts go off when they should. Where there is no promtool, which `make promtool` installs
on Debian, the latter is not tried."""

import json
import re
import shutil
from itertools import combinations

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from promql_parser import AggregateExpr, VectorSelector

from service.app import create_app
from service.http import metrics
from service.redis.connection import connect
from tests.deploy.parts import BIN, DEPLOY, METRICS, OPERATIONS, ROOT
from tests.programs import output

ALERTS = DEPLOY / "prometheus/alerts.yml"
GROUPS = {group["name"]: group["rules"] for group in yaml.safe_load(ALERTS.read_text())["groups"]}
RULES = [rule for rules in GROUPS.values() for rule in rules]
PANELS = json.loads((DEPLOY / "grafana/fogg.json").read_text())["panels"]
ASKED = [target for panel in PANELS for target in panel.get("targets", ())]
EVERYWHERE = {"instance", "job", "le"}  # labels that Prometheus adds, and those of histograms
UNITS = {"short", "s", "percentunit", "reqps", "ops"}
PROMTOOL = shutil.which("promtool") or shutil.which(BIN / "promtool")


def selected(query: str) -> dict[str, set[str]]:
    """Return the metrics that a query reads and of each the labels that it goes by; raise where it
    is none."""
    matched, grouped = {}, set()

    def visit(node) -> None:
        if isinstance(node, VectorSelector):
            matched.setdefault(node.name, set()).update(m.name for m in node.matchers.matchers)
        if isinstance(node, AggregateExpr) and node.modifier:
            grouped.update(node.modifier.labels)

    promql_parser.walk(promql_parser.parse(query.replace("$__rate_interval", "5m")), visit)
    return {name: labels | grouped for name, labels in matched.items()}


def metric_of(series: str) -> str:
    """Return the documented name of a series' metric."""
    return series if series in METRICS else re.sub(r"_(bucket|sum|count)$", "", series)


def anchors() -> set[str]:
    titles = re.findall(r"^#+ (.+)$", OPERATIONS, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def test_the_page_on_operation_names_every_metric_with_its_labels_and_no_other(redis_server):
    with connect(redis_server.url) as redis:
        text = create_app(redis).test_client().get("/metrics").text
    # of a counter the parser takes off what its samples' names end in
    shown = {
        family.name + "_total" * (family.type == "counter")
        for family in text_string_to_metric_families(text)
        if family.name.startswith("fogg_") and not family.name.endswith("_created")
    }
    assert shown == METRICS.keys()
    labelled = {
        name: made._labelnames
        for made, names in metrics.COUNTED._collector_to_names.items()
        for name in names
        if name in METRICS
    }
    assert labelled
    assert {name: METRICS[name] for name in labelled} == labelled


@pytest.mark.parametrize(
    "query",
    sorted({rule["expr"] for rule in GROUPS["fogg"]} | {target["expr"] for target in ASKED}),
)
def test_a_query_reads_metrics_and_labels_that_there_are(query):
    for series, labels in selected(query).items():
        assert series == "up" or metric_of(series) in METRICS
        assert labels <= {*METRICS.get(metric_of(series), ()), *EVERYWHERE}


def test_metrics_of_other_programs_are_not_ours_and_a_wrong_query_would_be_found():
    queries = [rule["expr"] for rule in GROUPS["fogg-redis"]]
    assert all(
        re.match(r"(redis|node)_", series) for query in queries for series in selected(query)
    )
    with pytest.raises(ValueError, match="unclosed"):
        selected("sum(rate(fogg_streams[5m])")


def test_there_is_an_alert_for_everything_that_is_to_wake_somebody():
    rows = re.findall(r"^\| `(fogg_\w+)(?:\{.*\})?` \|.*\| (.*)\|$", OPERATIONS, re.MULTILINE)
    waking = {name for name, when in rows if when.strip()}
    assert waking
    assert waking <= {metric_of(series) for rule in RULES for series in selected(rule["expr"])}


def test_the_dashboard_shows_every_metric():
    shown = {metric_of(series) for target in ASKED for series in selected(target["expr"])}
    assert shown == METRICS.keys()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_an_alert_says_how_bad_it_is_and_where_to_read_on(rule):
    assert rule["labels"]["severity"] in ("page", "ticket")
    page, _, anchor = rule["annotations"]["runbook"].partition("#")
    assert page == "docs/operations.md"
    assert anchor in anchors()
    assert rule["annotations"]["summary"].endswith(".")


def test_panels_are_whole_and_none_lies_on_another():
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    for panel in PANELS:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        if panel["type"] != "row":
            assert all(panel[member] for member in ("title", "description", "targets"))
            assert panel["fieldConfig"]["defaults"]["unit"] in UNITS
            for target in panel["targets"]:
                labels = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
                assert labels <= set().union(*selected(target["expr"]).values(), EVERYWHERE)
    for one, other in combinations([panel["gridPos"] for panel in PANELS], 2):
        assert (
            one["x"] + one["w"] <= other["x"]
            or other["x"] + other["w"] <= one["x"]
            or one["y"] + one["h"] <= other["y"]
            or other["y"] + other["h"] <= one["y"]
        )


@pytest.mark.skipif(not PROMTOOL, reason="needs promtool: `make promtool`")
def test_the_files_have_no_fault_and_alerts_go_off_when_they_should_and_else_not():
    output(PROMTOOL, "check", "rules", "--lint=all", "--lint-fatal", ALERTS)
    output(PROMTOOL, "check", "config", "--syntax-only", DEPLOY / "prometheus/prometheus.yml")
    output(PROMTOOL, "test", "rules", ROOT / "tests/deploy/alerts.yml")


def test_every_alert_is_tried():
    tests = yaml.safe_load((ROOT / "tests/deploy/alerts.yml").read_text())["tests"]
    tried = [one for test in tests for one in test["alert_rule_test"]]
    names = {rule["alert"] for rule in RULES}
    assert {one["alertname"] for one in tried if "exp_alerts" in one} == names
    assert {one["alertname"] for one in tried if "exp_alerts" not in one} == names
