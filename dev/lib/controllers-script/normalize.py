"""Replaces in the output of kubectl and Helm everything that differs between two runs on the same control plane.

Reads from standard input. The argument is its form: a command followed by the lines that it has printed (lines, sorted, or last for the
last line), a text, objects (a list in JSON, printed as one line per field), reports (a list of Events in JSON).
"""

import json
import re
import sys

# Names that are created at random have these letters and digits only.
RANDOM = "[bcdfghjklmnpqrstvwxz2456789]"

REPLACED = [
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "UID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"), "TIME"),
    (re.compile(r"\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}"), "TIME"),
    (re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"), "TIME"),
    (re.compile(r"\b(10|192)\.\d+\.\d+\.\d+\b"), "IP"),
    (re.compile(r"https://127\.0\.0\.1:\d+"), "SERVER"),
    (re.compile(r"pod-template-hash=\w+"), "pod-template-hash=HASH"),
    # Jobs of CronJobs are named by the minute.
    (re.compile(r"-\d{8}\b"), "-MINUTE"),
    # Upstream hashes a Go dump of the template, we hash something else.
    (re.compile(rf"-{RANDOM}{{6,10}}\b"), "-HASH"),
    (re.compile(rf"-{RANDOM}{{5}}\b"), "-RANDOM"),
    (re.compile(r"/tmp/[\w./-]+"), "FILE"),
    # Ages of tables.
    (re.compile(r"(?<= )(\d+d)?(\d+h)?(\d+m)?\d+s(?=\s|$)"), "AGE"),
    (re.compile(r"(?<= )\d+m(?=\s|$)"), "AGE"),
    (re.compile(r" {2,}"), "  "),
]

# Fields by their names.
HASHES = {"pod-template-hash", "controller-revision-hash", "controller.kubernetes.io/hash"}
GONE = {
    "managedFields", "resourceVersion", "uid", "creationTimestamp", "selfLink",
    # Whether there was a change since the last write depends on how many changes a write has.
    "endpoints.kubernetes.io/last-change-trigger-time",
    # Each control plane has an authority of its own.
    "ca.crt",
    # The scheduler and the stand-in of the kubelet decide.
    "hostIP", "hostIPs", "podIP", "podIPs", "startTime", "containerStatuses", "initContainerStatuses",
}
# The number of steps of a rollout, and so of changes of a ReplicaSet and of a slice, depends on how fast pods are ready.
COUNTED = {"generation", "observedGeneration"}
COUNTED_KINDS = {"ReplicaSet", "Pod", "EndpointSlice"}

# Reports of the scheduler and of the stand-in of the kubelet are not compared.
FOREIGN = {"default-scheduler", "kwok", "kwok-controller", "kubelet", "helm"}


def text(value):
    for pattern, replacement in REPLACED:
        value = pattern.sub(replacement, value)
    return value.rstrip()


def cleaned(value, kind, key=""):
    if isinstance(value, dict):
        kept = {}
        for name, child in value.items():
            if name in GONE or name in COUNTED and kind in COUNTED_KINDS:
                continue
            if name == "nodeName" and kind in ("Pod", "EndpointSlice", "Endpoints"):
                continue
            kept[name] = cleaned(child, kind, name)
            # The only annotation may be one that is not compared.
            if name == "annotations" and not kept[name]:
                del kept[name]
        return kept
    if isinstance(value, list):
        children = [cleaned(child, kind) for child in value]
        # The controllers find the pods, addresses and references of these lists in the order of their random names.
        # Upstream sorts the ports of Endpoints by a hash of a Go dump, we by name and number.
        unordered = key in ("addresses", "endpoints", "active", "ownerReferences", "notReadyAddresses")
        if unordered or key == "ports" and kind in ("Endpoints", "EndpointSlice"):
            children.sort(key=lambda child: json.dumps(child, sort_keys=True))
        return children
    if isinstance(value, str):
        return "HASH" if key in HASHES else embedded(value, kind) if value.startswith("{") else text(value)
    return value


def embedded(value, kind):
    """What kubectl apply keeps in an annotation."""
    try:
        return text(json.dumps(cleaned(json.loads(value), kind), sort_keys=True))
    except ValueError:
        return text(value)


def fields(value, path):
    if isinstance(value, dict) and value:
        for name in sorted(value):
            yield from fields(value[name], f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for index, child in enumerate(value):
            yield from fields(child, f"{path}[{index}]")
    else:
        yield f"    {path}: {json.dumps(value)}"


def objects(content):
    described = []
    read = json.loads(content)
    for item in read.get("items", [read]):
        item = cleaned(item, item["kind"])
        lines = [f"  {item['kind']} {item['metadata'].get('name')}"]
        for part in ("metadata", "spec", "data", "status", "subsets", "endpoints", "ports", "addressType"):
            if part in item:
                lines.extend(fields(item[part], part))
        described.append(lines)
    return "\n".join("\n".join(lines) for lines in sorted(described))


# We patch where upstream updates, so only upstream has conflicts. When the claim of a new pod is in conflict, upstream reports this
# instead of the new pod.
CONFLICT = "the object has been modified"
CONFLICT_OF_CLAIM = re.compile(rf"Warning \w+: \w+ Pod (\S+) in StatefulSet (\S+) failed error: .*{CONFLICT}.*")
# Many reports are combined; the steps of a rollout depend on how fast pods are ready.
COMBINED = "(combined from similar events): "
STEPS = re.compile(r"(Scaled (?:up|down) replica set \S+) from \d+ to \d+")
CREATED = r"Normal SuccessfulCreate: Create Pod \1 in StatefulSet \2 successful"


def reports(content):
    lines = set()
    for event in json.loads(content)["items"]:
        # The names of reporters differ: statefulset-controller, reconciler4j.io/statefulset.
        source = event.get("source", {}).get("component") or event.get("reportingComponent", "")
        if source not in FOREIGN:
            about = event["involvedObject"]
            line = f"  {about['kind']} {about['name']} {event['type']} {event['reason']}: {event['message']}"
            line = CONFLICT_OF_CLAIM.sub(CREATED, line.replace(COMBINED, ""))
            lines.add(text(STEPS.sub(r"\1", line)))
    return "\n".join(sorted(line for line in lines if CONFLICT not in line))


def main():
    form = sys.argv[1]
    content = sys.stdin.read()
    if form in ("objects", "reports"):
        try:
            print({"objects": objects, "reports": reports}[form](content))
        except ValueError:
            print(text(content))
        return
    if form == "text":
        print(text(content.replace("\n", " ")))
        return
    command, *lines = [text(line) for line in content.splitlines()]
    print("$ " + command)
    lines = [line for line in lines if line]
    if form == "sorted":
        lines.sort()
    for line in lines[-1:] if form == "last" else lines:
        print("  " + line)


main()
