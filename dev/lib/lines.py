"""Runs tests with other versions of libraries: see dev/lines."""
import argparse
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

import lines_project

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "target" / "lines"
MODULES = ["operator-test", "operator-test-server", "operator-test-client", "operator-connection", "operator-workqueue",
           "operator-framework", "operator-installer", "operator-sharding",
           "operator-clusters", "operator-brake", "operator-objectset", "operator-external", "operator-plan",
           "operator-controllers", "operator-test-cluster",
           "operator-webhook", "operator-starter", "operator-generator"]
PROJECT = OUT / "project"
RESULTS = ROOT / "dev" / "lib" / "lines.json"
PAGE = ROOT / "docs" / "design" / "versions.md"
NS = {"m": "http://maven.apache.org/POM/4.0.0"}
CLOUD = "org.springframework.cloud:spring-cloud-dependencies:"
LIMIT = int(os.environ.get("LINES_SECONDS", "1200"))  # for the tests of a module, which take minutes
HUNG = "dev/lines ended this JVM"

# Name, properties of the build, BOMs before ours, and what a start has to end with: None if it has to work.
LINES = [
    ("boot-4.1", {}, [], None),
    ("boot-4.0", {"spring-boot.version": "4.0.7"}, [], None),
    ("boot-3.5", {"spring-boot.version": "3.5.7"}, [], "org.springframework.boot:spring-boot has the version 3.5.7"),
    ("fabric8-7.5", {"fabric8.version": "7.5.2"}, [], None),
    ("fabric8-7.6", {"fabric8.version": "7.6.1"}, [], None),
    ("fabric8-7.7", {"fabric8.version": "7.7.0"}, [], None),
    ("fabric8-7.9", {"fabric8.version": "7.9.0"}, [], None),
    ("fabric8-8.0", {"fabric8.version": "8.0.0"}, [], "io.fabric8:kubernetes-client-api has the version 8.0.0"),
    ("boot-4.0+fabric8-7.5", {"spring-boot.version": "4.0.7", "fabric8.version": "7.5.2"}, [], None),
    ("cloud-before", {}, [CLOUD + "2025.1.4"], None),
    ("cloud-2025.1.1-before", {}, [CLOUD + "2025.1.1"], None),
    ("cloud-after", {}, ["-" + CLOUD + "2025.1.4"], None),
]

# Only tests use it, and not every repository has it in each version; fabric8's client works with the one for Vert.x, too.
WITHOUT = {"cloud-before": "kubernetes-httpclient-jdk"}

# What touches the libraries: connections, kubeconfigs, JSON, definitions, the context of an application, roles.
TESTS = (ROOT / "dev" / "lib" / "lines.tests").read_text().split()


def maven(arguments, log):
    with open(log, "w") as output:
        return subprocess.run([os.environ.get("MVN", str(ROOT / "mvnw")), "-B", "-ntp", *arguments], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT).returncode


def compile_once():
    arguments = ["-q", "-Dfast", "-DskipTests", "-pl", ",".join([*MODULES, "operator-bom", "operator-maven-plugin", "operator-archetype"]),
                 "-am", "test-compile"]
    if maven(arguments, OUT / "compile.log"):
        sys.exit("The build does not compile: see " + str(OUT / "compile.log"))


def dependencies(tests):
    """The dependencies of the modules on other projects, each once, with the widest scope. Without tests, those of applications."""
    found = {}
    for module in MODULES if tests else MODULES[3:]:
        for node in xml.parse(ROOT / module / "pom.xml").findall("m:dependencies/m:dependency", NS):
            group, artifact = node.findtext("m:groupId", "", NS), node.findtext("m:artifactId", "", NS)
            scope = node.findtext("m:scope", "compile", NS)
            if group != "io.github.reconciler4j" and found.get((group, artifact)) != "compile":
                found[group, artifact] = scope
    found["org.junit.platform", "junit-platform-console"] = "test"
    return found


bom = lines_project.bom


def write_pom(folder, properties, boms, tests):
    """A project like that of a user: Spring Boot's versions, and our BOM before or after those of others."""
    used = {**versions(), **properties}
    ours = [d for d in managed() if "import" not in d] + [bom("io.fabric8:kubernetes-client-bom:" + used["fabric8.version"])]
    before = [bom(b) for b in boms if not b.startswith("-")]
    after = [bom(b) for b in boms if b.startswith("-")]
    lines = "".join(before + ours + after) + bom("org.springframework.boot:spring-boot-dependencies:" + used["spring-boot.version"])
    needed = "".join(
        f"<dependency><groupId>{g}</groupId><artifactId>{a}</artifactId><scope>{'compile' if s == 'provided' else s}</scope></dependency>"
        for (g, a), s in dependencies(tests).items() if (tests or s != "test") and a != WITHOUT.get(folder.name))
    values = "".join(f"<{k}>{v}</{k}>" for k, v in used.items())
    folder.joinpath("pom.xml").write_text(
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        f"<groupId>line</groupId><artifactId>line</artifactId><version>1</version><properties>{values}</properties>"
        f"<dependencyManagement><dependencies>{lines}</dependencies></dependencyManagement><dependencies>{needed}</dependencies></project>")


def versions():
    node = xml.parse(ROOT / "pom.xml").find("m:properties", NS)
    return {child.tag.split("}")[1]: child.text for child in node if child.tag.endswith("version")}


def managed():
    """What the build manages besides the two BOMs and itself, as text."""
    nodes = xml.parse(ROOT / "pom.xml").findall("m:dependencyManagement/m:dependencies/m:dependency", NS)
    return ["<dependency>" + "".join(f"<{c.tag.split('}')[1]}>{c.text}</{c.tag.split('}')[1]}>" for c in node) + "</dependency>"
            for node in nodes if not node.findtext("m:groupId", "", NS).startswith("io.github.reconciler4j")]


def class_path(name, properties, boms, tests, offline):
    """Returns the libraries of a line, or the reason why they cannot be resolved."""
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    write_pom(folder, properties, boms, tests)
    goal = ["-f", str(folder / "pom.xml"), "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath",
            "-Dmdep.outputFile=" + str(folder / "libraries")]
    if maven(["-o", *goal], folder / "maven.log") and (offline or maven(goal, folder / "maven.log")):
        log = folder.joinpath("maven.log").read_text()
        missing = re.search(r"[Cc]ould not find artifact (\S+)|Cannot access \S+ .*? artifact (\S+)|for (\S+?) is missing", log)
        return None, next((g for g in missing.groups() if g), "see maven.log") if missing else "see maven.log"
    return folder.joinpath("libraries").read_text().strip(), None


def classes():
    parts = []
    for module in MODULES:
        for part in ("test-classes", "classes"):
            parts.append(str(ROOT / module / os.environ.get("LINES_TARGET", "target") / part))
            source = ROOT / module / "src" / part.replace("test-classes", "test").replace("classes", "main") / "resources"
            parts.append(str(source))
    return ":".join(parts)


def java(home, libraries, arguments, log, folder="operator-starter"):
    command = [str(pathlib.Path(home) / "bin" / "java"), "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx1g", "-Djna.encoding=UTF-8",
               "-cp", classes() + ":" + libraries, *arguments]
    with open(log, "w") as output:
        process = subprocess.Popen(command, cwd=ROOT / folder, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, "KUBECONFIG": "/none"})
        try:
            return process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            return end_hung(home, process, output, log)
        finally:
            process.kill()


def end_hung(home, process, output, log):
    """Ends a JVM that hangs. Its platform threads are in the log before that, and since JDK 21 its virtual ones in a file beside it."""
    process.send_signal(signal.SIGQUIT)
    subprocess.run([str(pathlib.Path(home) / "bin" / "jcmd"), str(process.pid), "Thread.dump_to_file", "-overwrite", str(log) + ".threads"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
    try:
        process.wait(5)  # for the dump; a JVM goes on after it
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()
    output.write(f"\n{HUNG} after {LIMIT} s, with its threads above\n")
    return -1


def run_tests(home, name, libraries):
    """Runs the tests, which read files of their modules, module by module."""
    ran = failed = 0
    reasons = []
    for module in MODULES:
        source = ROOT / module / "src" / "test" / "java"
        names = [str(f.relative_to(source))[:-5].replace("/", ".") for t in TESTS for f in sorted(source.rglob(t + ".java"))]
        if not names:
            continue
        log = OUT / name / (module + ".log")
        select = [option for each in names for option in ("-c", each)]
        java(home, libraries, ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--details=tree",
                               "--disable-ansi-colors", *select], log, module)
        text = log.read_text(errors="replace")
        count = [re.search(r"\[ *(\d+) tests " + word, text) for word in ("successful", "failed")]
        if not all(count):
            reasons.append((f"hung for {LIMIT} s, " if HUNG in text else "") + "see " + str(log.relative_to(ROOT)))
            failed += 1
            continue
        ran += int(count[0][1]) + int(count[1][1])
        failed += int(count[1][1])
        reasons += re.findall(r"(?:java\.lang\.\w*Error|=> \S+): ([^\n]{1,120})", text)[:1] if int(count[1][1]) else []
    return ran, failed, reasons


APPLICATION = "io.github.reconciler4j.spring.autoconfigure.HeadlessOperator"


def outside(home, name, libraries, sentence):
    """An application and the generator both have to end with the sentence, and with nothing about linkage."""
    for what, arguments in (("start", [APPLICATION]), ("generate", ["io.github.reconciler4j.generator.Main", "generate", "--main", APPLICATION])):
        log = OUT / name / (what + ".log")
        code = java(home, libraries, arguments, log)
        text = log.read_text(errors="replace")
        if code != 1 or sentence not in text or re.search(r"(NoSuchMethod|NoClassDefFound|Linkage)Error|\n\tat ", text):
            return "red", what + " says something else: see " + str(log.relative_to(ROOT))
    return "stops", sentence


def check(home, offline, line):
    name, properties, boms, sentence = line
    libraries, missing = class_path(name, properties, boms, sentence is None, offline)
    if missing:
        return "grey", "cannot be resolved: " + missing
    if sentence:
        return outside(home, name, libraries, sentence)
    ran, failed, reasons = run_tests(home, name, libraries)
    if failed or not ran:
        return "red", f"{failed} of {ran} tests fail: " + "; ".join(reasons)
    client = "io.fabric8:kubernetes-client-bom:" + properties["fabric8.version"] if "fabric8.version" in properties else None
    color, reason = lines_project.check(home, OUT / name, PROJECT, {**versions(), **properties}, [*boms, *filter(None, [client])], offline)
    return color, f"{ran} tests" + (", " + reason if reason else " and the archetype's project")


def describe(properties, boms):
    used = {**versions(), **properties}
    text = f"Spring Boot {used['spring-boot.version']}, fabric8 {used['fabric8.version']}"
    for each in boms:
        text += f", Spring Cloud {each.split(':')[2]} {'after' if each.startswith('-') else 'before'} our BOM"
    return text


def record(java_version, line, color, text):
    """Keeps the last result of each cell. A cell that has not run has no result."""
    name, properties, boms, _ = line
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    results.setdefault(name, {})[java_version] = {
        "libraries": describe(properties, boms), "result": color, "text": re.sub(r" target/\S+", " its log", text),
        "date": datetime.date.today().isoformat()}
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    render(results)


def render(results):
    rows = ["| Line | Libraries | Java | Result | Run |", "|---|---|---|---|---|"]
    for each, its_properties, its_boms, _ in LINES:
        cells = results.get(each, {})
        for version in sorted(cells):
            cell = cells[version]
            rows.append(f"| `{each}` | {cell['libraries']} | {version} | {cell['result']}: {cell['text']} | {cell['date']} |")
        if not cells:
            rows.append(f"| `{each}` | {describe(its_properties, its_boms)} | | not run | |")
    page = PAGE.read_text()
    start, end = "<!-- Written by dev/lines. -->\n", "\n<!-- End. -->"
    head, rest = page.split(start)
    PAGE.write_text(head + start + "\n".join(rows) + end + rest.split(end)[1])


def java_version(home):
    output = subprocess.run([str(pathlib.Path(home) / "bin" / "java"), "-version"], stderr=subprocess.PIPE, text=True, check=True).stderr
    return re.search(r'version "(\d+)', output)[1]


def main():
    parser = argparse.ArgumentParser(prog="dev/lines")
    parser.add_argument("lines", nargs="*", help="names; all by default: " + " ".join(line[0] for line in LINES))
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--java", default=os.environ.get("JAVA_HOME", "/usr"))
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-record", action="store_true", help="leave docs/design/versions.md as it is")
    options = parser.parse_args()
    unknown = set(options.lines) - {line[0] for line in LINES}
    if unknown:
        parser.error("there is no line " + ", ".join(sorted(unknown)))
    OUT.mkdir(parents=True, exist_ok=True)
    if not options.no_compile:
        compile_once()
    if any(line[3] is None for line in LINES if not options.lines or line[0] in options.lines):
        lines_project.generate(PROJECT)
    red = False
    for line in LINES:
        if options.lines and line[0] not in options.lines:
            continue
        started = time.time()
        color, text = check(options.java, options.offline, line)
        red |= color == "red"
        if not options.no_record:
            record(java_version(options.java), line, color, text)
        print(f"{line[0]:22} {color:6} {text} ({time.time() - started:.0f} s)", flush=True)
    sys.exit(red)


main()
