#!/usr/bin/env python3
"""Renews built-in-fields.tsv and built-in-protobuf.tsv.gz of operator-test-server from clones of Kubernetes' API repositories.

Usage: dev/lib/built-in-tables.py API APIMACHINERY APIEXTENSIONS, the git directories of k8s.io/api, k8s.io/apimachinery and
k8s.io/apiextensions-apiserver, checked out nowhere: their HEAD is read. Rows of types outside k8s.io/api in built-in-fields.tsv
were written by hand and are kept.
"""
import gzip, json, os, re, subprocess, sys

FOLDER = os.path.join(os.path.dirname(__file__), "../../operator-test-server/src/main/resources/io/github/reconciler4j/test/server/internal/apimachinery/schema")
SCALARS = ("string", "integer", "boolean", "number")
PLAIN = ("string", "bool", "int32", "int64", "bytes", "double", "uint32", "uint64")


def files(repository, pattern):
    names = subprocess.check_output(["git", "--git-dir=" + repository, "ls-tree", "-r", "--name-only", "HEAD"], text=True).split()
    for name in sorted(names):
        if re.search(pattern, name) and not re.search("alpha|beta|testdata|vendor/", name):
            text = subprocess.check_output(["git", "--git-dir=" + repository, "show", "HEAD:" + name], text=True)
            yield name, re.sub(r"//.*", "", text)


def struct_row(name, body, schema):
    kept, omitted, nulls = [], [], []
    for field in re.finditer(r'^\s*\w+\s+(\S+)\s+`[^`]*json:"([^",]+)((?:,\w+)*)"', body, re.M):
        go, json_name, options = field.groups()
        declared = schema.get("properties", {}).get(json_name)
        if declared is None:
            continue
        optional = "omitempty" in options or "omitzero" in options
        scalar = declared.get("type") in SCALARS
        if go.startswith("*") and scalar and optional:
            kept.append(json_name)
        if "default" in declared and optional and (go.startswith("*") != scalar or "omitzero" in options):
            omitted.append(json_name)
        if "default" not in declared and json_name not in schema.get("required", []):
            collection = go.startswith(("[]", "*", "map"))
            zero_time = go in ("metav1.Time", "metav1.MicroTime") and "omitzero" not in options
            if collection and not optional or zero_time:
                nulls.append(json_name)
    cells = [",".join(names) or "-" for names in (kept, omitted, nulls)]
    return None if cells == ["-", "-", "-"] else "\t".join([name] + cells)


def fields(api):
    schemas = json.load(gzip.open(os.path.join(FOLDER, "built-in-types.json.gz")))["schemas"]
    path = os.path.join(FOLDER, "built-in-fields.tsv")
    lines = open(path).read().splitlines()
    rows = [line for line in lines if line.startswith("#")]
    for name, text in files(api, r"/[a-z_]*types\.go$"):
        group, version = name.split("/")[:2]
        for struct in re.finditer(r"^type (\w+) struct \{\n(.*?)^\}", text, re.S | re.M):
            key = "%s.%s.%s" % (group, version, struct[1])
            if "io.k8s.api." + key in schemas:
                rows.append(struct_row(key, struct[2], schemas["io.k8s.api." + key]))
    rows += [line for line in lines if line.startswith("io.k8s.")]
    open(path, "w").write("".join(row + "\n" for row in rows if row))


def message_row(package, name, body):
    cells = []
    pattern = r"^\s*(optional|repeated|map<\s*[\w.]+\s*,\s*([\w.\-]+)\s*>)\s+(?:([\w.\-]+)\s+)?(\w+)\s*=\s*(\d+);"
    for label, values, plain, field, number in re.findall(pattern, body, re.M):
        kind = {"o": "o", "r": "r", "m": "m"}[label[0]]
        of = (values if kind == "m" else plain).lstrip(".")
        if of not in PLAIN:
            of = of if of.startswith("k8s.io.") else package + "." + of
            of = of.replace("k8s.io.", "io.k8s.", 1)
        cells.append(":".join([number, field, kind, of]))
    return package.replace("k8s.io.", "io.k8s.", 1) + "." + name + "\t" + " ".join(cells)


def messages(repositories):
    rows = []
    for repository in repositories:
        for _, text in files(repository, r"generated\.proto$"):
            package = re.search(r"^package ([\w.\-]+);", text, re.M)[1]
            for message in re.finditer(r"^message (\w+) \{\n(.*?)^\}", text, re.S | re.M):
                rows.append(message_row(package, message[1], message[2]))
    head = "# Protobuf messages: name; fields as number:name:kind:type, kind o(ptional), r(epeated) or m(ap of texts to it).\n"
    with gzip.GzipFile(os.path.join(FOLDER, "built-in-protobuf.tsv.gz"), "wb", mtime=0) as out:
        out.write((head + "".join(row + "\n" for row in sorted(rows))).encode())


fields(sys.argv[1])
messages(sys.argv[1:])
