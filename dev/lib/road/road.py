"""The road of dev/road: see there."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import cluster
import project
from steps import ROOT, Failed, Road, until

OUT = ROOT / "target" / "road"
# The supported lines of Spring Boot, the one with which the chart is installed last.
BOOTS = ["4.0.7", "4.1.1"]
LINES = ["1.31", "1.37"]
TENANT = "tenant"


def main():
    options = parse()
    sys.exit(walk(options, Road(OUT)))


def parse():
    parser = argparse.ArgumentParser(add_help=True)
    parser.add_argument("--repository", type=pathlib.Path)
    parser.add_argument("--libraries", type=pathlib.Path)
    parser.add_argument("--boot", action="append")
    parser.add_argument("--kubernetes", action="append")
    parser.add_argument("--objects", type=int, default=10_000)
    parser.add_argument("--rest", type=int, default=60, help="seconds at rest")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--no-tests", action="store_true")
    return parser.parse_args()


def walk(options, road):
    if not options.keep:
        shutil.rmtree(OUT, ignore_errors=True)
    shutil.rmtree(OUT / "logs", ignore_errors=True)
    OUT.mkdir(parents=True, exist_ok=True)
    with road.step("repository") as note:
        repository, version = published(road, options.repository)
        note(f"{version}, {len(list(repository.rglob('*.pom')))} components")
    boots = options.boot or BOOTS
    releases = OUT / ("boot-" + boots[-1])
    maven = project.Maven(road, repository, options.libraries and options.libraries.resolve(), options.keep)
    for boot in boots:
        build(road, maven, version, boot, options.no_tests)
    with road.step("all of ours is from the repository"):
        others = maven.ours()
        if others:
            raise Failed("not from the repository: " + ", ".join(others))
    for line in options.kubernetes or LINES:
        install(road, releases, line, options.objects if line == (options.kubernetes or LINES)[-1] else 0, options.rest)
    return road.end()


def published(road, given):
    folder = given or ROOT / "target/release/repository"
    if not given and not folder.is_dir():
        road.run("dry run", [ROOT / "dev/release", "--dry-run"], cwd=ROOT, seconds=3600)
    found = list((folder / "io/github/reconciler4j/reconciler4j-archetype").glob("*/*.jar"))
    versions = sorted({file.parent.name for file in found})
    if len(versions) != 1:
        raise Failed(f"{folder} has these versions of the archetype: {versions}")
    return folder.resolve(), versions[0]


def build(road, maven, version, boot, untested):
    """Three releases of the project with a line of Spring Boot. Those of the last run stay with --keep."""
    folder, name = OUT / ("boot-" + boot), f"Spring Boot {boot}"
    first, second, third = folder / "first/greetings", folder / "second", folder / "third"
    if not first.is_dir():
        with road.step(f"{name}: archetype"):
            project.generate(maven, folder / "first", version, boot)
    if not project.jars(first):
        with road.step(f"{name}: build, with tests in the JVM") as note:
            note(tests(maven, f"{name} first", first, untested))
    if not project.jars(second):
        with road.step(f"{name}: second version with a converter, and a second child in the object set") as note:
            project.second_release(project.copy(first, second))
            note(tests(maven, f"{name} second", second, untested))
        if not untested:
            with road.step(f"{name}: the same tests on a real API server") as note:
                note(tests(maven, f"{name} real", second, untested, "-Dreconciler4j.test.cluster=assets",
                           env={"KUBEBUILDER_ASSETS": binaries()}))
    if not project.jars(third):
        with road.step(f"{name}: third release, which stores the second version") as note:
            project.third_release(project.copy(second, third))
            note(tests(maven, f"{name} third", third, untested))


def binaries():
    text = subprocess.run([ROOT / "dev/kubernetes", "build"], capture_output=True, text=True, check=True)
    return (text.stdout + text.stderr).strip().rsplit(" ", 1)[-1]


def tests(maven, title, folder, untested, *arguments, env=None):
    """Builds a project, and counts its tests."""
    text = maven.run(title, folder, "verify", *(["-DskipTests"] if untested else []), *arguments, env=env)
    lines = [line for line in text.splitlines() if "Tests run:" in line and "Time elapsed" not in line]
    if untested:
        return "without tests"
    if not lines or "Failures: 0, Errors: 0, Skipped: 0" not in lines[-1]:
        raise Failed("no tests, or some are skipped")
    return lines[-1].split("] ")[-1].split(",")[0].lower()


def install(road, releases, line, objects, rest):
    name = f"Kubernetes {line}"
    first, second, third = releases / "first/greetings", releases / "second", releases / "third"
    place = cluster.Cluster(road, line)
    try:
        with road.step(f"{name}: control plane, restricted Pod Security"):
            place.start()
            place.kubectl("create", "namespace", TENANT)
        with road.step(f"{name}: lint and install the chart") as note:
            place.helm("lint", first / "chart", "--strict")
            place.helm("install", cluster.RELEASE, first / "chart", "--wait", "--timeout", "5m")
            note(f"{len(place.pods())} pod")
        with road.step(f"{name}: first release reconciles") as note:
            place.run(project.jar(first), f"{name} release 1").ready()
            place.kubectl("apply", "-n", TENANT, "-f", first / "examples")
            reconciled(place, "configmap/hello")
            note(f"{place.process.memory()} MB")
        with road.step(f"{name}: upgrade"):
            upgrade(place, second, "2.0.0", f"{name} release 2")
            reconciled(place, "service/hello")
            served(place, "v1", "message")
            served(place, "v1alpha1", "text")
        with road.step(f"{name}: rollback"):
            place.helm("rollback", cluster.RELEASE, "1", "--wait", "--timeout", "5m")
            place.replace(project.jar(first), f"{name} release 1 again")
            place.kubectl("patch", "greetings.v1alpha1.greetings.example.com/hello", "-n", TENANT, "--type=merge", "-p",
                          '{"spec":{"text":"Back"}}')
            until("the first release reconciles", 120, lambda: data(place) == "Back")
        with road.step(f"{name}: upgrade again"):
            upgrade(place, second, "2.0.0", f"{name} release 2 again")
            reconciled(place, "service/hello")
        with road.step(f"{name}: plan of the third release") as note:
            note(plan(road, place, third, f"{name} plan"))
        with road.step(f"{name}: upgrade to the third release, which rewrites the stored objects"):
            upgrade(place, third, "3.0.0", f"{name} release 3")
            until("the Service is as planned", 120, lambda: '"3"' in place.kubectl(
                "get", "service", "hello", "-n", TENANT, "-o", "jsonpath={.spec.selector}"))
            until("all objects are stored in v1", 300, lambda: stored(place) == ["v1"])
            served(place, "v1", "message")
            served(place, "v1alpha1", "text")
        if objects:
            at_rest(road, place, name, objects, rest)
        with road.step(f"{name}: uninstall as Argo CD does") as note:
            note(uninstall(place))
    finally:
        place.down()


def reconciled(place, child):
    until(f"{child} exists and the greeting is ready", 240, lambda: "True" in place.kubectl(
        "get", "greetings", "-n", TENANT, "hello", "-o", "jsonpath={.status.conditions[*].status}") and place.kubectl(
        "get", child, "-n", TENANT, "-o", "name"))


def data(place):
    return place.kubectl("get", "configmap", "hello", "-n", TENANT, "-o", "jsonpath={.data.text}")


def served(place, version, field):
    until(f"{version} is served", 120, lambda: place.kubectl(
        "get", f"greetings.{version}.greetings.example.com", "-n", TENANT, "hello", "-o", "jsonpath={.spec." + field + "}"))


def stored(place):
    return place.get("crd", "greetings.greetings.example.com")["status"]["storedVersions"]


def upgrade(place, release, version, title):
    place.helm("upgrade", cluster.RELEASE, release / "chart", "--wait", "--timeout", "5m")
    image = place.get("deployments", "-n", cluster.NAMESPACE)["items"][0]["spec"]["template"]["spec"]["containers"][0]["image"]
    if not image.endswith(":" + version):
        raise Failed(f"the Deployment has the image {image}")
    place.replace(project.jar(release), title)


def plan(road, place, release, title):
    """The Job of the chart, whose pod is a process, beside the release that runs."""
    job = place.helm("template", cluster.RELEASE, release / "chart", "--set", "plan.enabled=true", "--show-only", "templates/plan.yaml")
    place.kubectl("apply", "-n", cluster.NAMESPACE, "--dry-run=server", input=job)
    process = cluster.Process(place, project.jar(release), title, {"RECONCILER4J_MODE": "plan", "RECONCILER4J_PLAN_FORMAT": "text"})
    code = process.wait()
    road.check(title, process.log.read_text())
    if code != 2 or "1 Service would be changed" not in process.log.read_text():
        raise Failed(f"exit code {code}, see {process.log}\n" + "\n".join(process.log.read_text().splitlines()[-15:]))
    report = [line for line in process.log.read_text().splitlines() if line.endswith("requests.")]
    return f"exit code {code}, {report[-1] if report else 'no report'}"


def at_rest(road, place, name, objects, rest):
    with road.step(f"{name}: {objects} objects") as note:
        text = "\n---\n".join(json.dumps({
            "apiVersion": "greetings.example.com/v1", "kind": "Greeting", "metadata": {"name": f"greeting-{i}"},
            "spec": {"message": f"Hello {i}"}}) for i in range(objects))
        place.kubectl("create", "-n", TENANT, input=text, seconds=3600)
        until("every greeting has its ConfigMap and its Service", 3600, lambda: all(len(place.kubectl(
            "get", kind, "-n", TENANT, "-o", "name").splitlines()) > objects for kind in ("configmaps", "services")), 5)
        note(f"{place.process.memory()} MB")
    with road.step(f"{name}: at rest for {rest} s") as note:
        time.sleep(rest // 2)  # until the last reconciliations, which own writes have caused, are over
        requests, processor = writes(place), place.process.processor()
        time.sleep(rest)
        sent = writes(place) - requests
        note(f"{sent:.0f} writes without Leases, {(place.process.processor() - processor) / rest * 100:.2f} % of a processor, "
             f"{place.process.memory()} MB")
        if sent:
            raise Failed("an operator at rest writes nothing")


def writes(place):
    found = place.process.metrics("reconciler4j_client_requests")
    return sum(value for name, value in found.items() if "_count" in name or "_total" in name
               if not any(read in name for read in ('"GET"', '"get"', '"list"', '"watch"')) and "lease" not in name.lower())


def uninstall(place):
    """Deletes all objects of the chart but hooks and definitions together, and ends the operator, which has no rights any more."""
    manifest = place.helm("get", "manifest", cluster.RELEASE)
    documents = [text for text in manifest.split("\n---\n") if text.strip()]
    deleted = [text for text in documents if "kind: CustomResourceDefinition" not in text and "helm.sh/hook" not in text]
    process, place.services.port = place.process, None
    place.kubectl("delete", "--wait=false", input="\n---\n".join(deleted))
    process.stop()
    left = place.get("greetings", "-n", TENANT)["items"]
    if any(one["metadata"].get("finalizers") for one in left):
        raise Failed("greetings have finalizers that no operator removes")
    started = time.monotonic()
    place.kubectl("delete", "namespace", TENANT, "--timeout=1200s", seconds=1300)
    place.kubectl("delete", "namespace", cluster.NAMESPACE, "--timeout=120s")
    place.kubectl("get", "greetings", "-A")
    return f"{len(deleted)} objects deleted; {len(left)} greetings gone with their namespace after {time.monotonic() - started:.0f} s"


main()
