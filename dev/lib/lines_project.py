"""The archetype's project with the libraries of a line: generate, test, start. See dev/lines."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = "0.1.0-SNAPSHOT"
ARTIFACTS = {
    "operator-bom": "reconciler4j-bom", "operator-connection": "reconciler4j-connection",
    "operator-workqueue": "reconciler4j-workqueue",
    "operator-framework": "reconciler4j-core", "operator-installer": "reconciler4j-installer",
    "operator-sharding": "reconciler4j-sharding",
    "operator-clusters": "reconciler4j-clusters", "operator-objectset": "reconciler4j-objectset",
    "operator-brake": "reconciler4j-brake", "operator-controllers": "reconciler4j-controllers",
    "operator-test-cluster": "reconciler4j-test-cluster",
    "operator-external": "reconciler4j-external", "operator-plan": "reconciler4j-plan", "operator-webhook": "reconciler4j-webhook",
    "operator-starter": "reconciler4j-spring-boot-starter", "operator-test": "reconciler4j-test",
    "operator-test-server": "reconciler4j-test-server", "operator-test-client": "reconciler4j-test-client", "operator-generator": "reconciler4j-generator",
    "operator-maven-plugin": "reconciler4j-maven-plugin", "operator-archetype": "reconciler4j-archetype"}
STARTED = "export KUBECONFIG="
SECONDS = 600  # for Maven, which also downloads


def install(repository, pom, artifact, classes):
    folder = repository / "io/github/reconciler4j" / artifact / VERSION
    folder.mkdir(parents=True)
    shutil.copy(pom, folder / f"{artifact}-{VERSION}.pom")
    if classes.is_dir():
        with zipfile.ZipFile(folder / f"{artifact}-{VERSION}.jar", "w") as jar:
            for file in sorted(f for f in classes.rglob("*") if f.is_file()):
                jar.write(file, file.relative_to(classes))


def link(repository):
    """A local repository that links to that of the user, so that downloads are shared, and has the artifacts of this build."""
    original, links = pathlib.Path.home() / ".m2" / "repository", repository
    for own in ("io", "github", "reconciler4j"):
        links.mkdir(parents=True)
        for entry in original.iterdir() if original.is_dir() else []:
            if entry.name != own:
                (links / entry.name).symlink_to(entry)
        original, links = original / own, links / own


def generate(out):
    """Generates the project once, for all lines. Returns the folder, or ends with what Maven says."""
    shutil.rmtree(out, ignore_errors=True)
    repository = out / "repository"
    link(repository)
    install(repository, ROOT / "pom.xml", "reconciler4j", ROOT / "none")
    for module, artifact in ARTIFACTS.items():
        install(repository, ROOT / module / "pom.xml", artifact, ROOT / module / "target" / "classes")
    code, text = maven(
        os.environ.get("JAVA_HOME"), out, repository, out / "generate.log",
        "org.apache.maven.plugins:maven-archetype-plugin:3.4.0:generate", "-DinteractiveMode=false", "-DarchetypeCatalog=local",
        "-DarchetypeGroupId=io.github.reconciler4j", "-DarchetypeArtifactId=reconciler4j-archetype", "-DarchetypeVersion=" + VERSION,
        "-DgroupId=com.example", "-DartifactId=greetings", "-Dgroup=greetings.example.com", "-Dkind=Greeting")
    if code:
        raise SystemExit("The archetype generates no project: " + text[-2000:])


def maven(home, folder, repository, log, *arguments):
    process = start(home, folder, repository, log, *arguments)
    try:
        code = process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        end(process)
        code = -1
    return code, log.read_text(errors="replace")


def start(home, folder, repository, log, *arguments):
    environment = {**os.environ, "MAVEN_OPTS": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1", "KUBECONFIG": "/none"}
    if home:
        environment["JAVA_HOME"] = home
    with open(log, "w") as output:
        return subprocess.Popen([str(ROOT / "mvnw"), "-B", "-ntp", "-Dmaven.repo.local=" + str(repository), *arguments], cwd=folder,
                                stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True)


def end(process):
    """Maven runs the application in a JVM of its own."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def change(pom, used, boms):
    """What a user changes: the version of the parent, and BOMs before or after ours."""
    text = pom.read_text()
    parent = re.compile(r"(<artifactId>spring-boot-starter-parent</artifactId>\s*<version>)[^<]*")
    assert len(parent.findall(text)) == 1
    text = parent.sub(r"\g<1>" + used["spring-boot.version"], text)
    start_of_boms, end_of_boms = "<dependencyManagement>\n    <dependencies>", "</dependencies>\n  </dependencyManagement>"
    assert start_of_boms in text and end_of_boms in text
    text = text.replace(start_of_boms, start_of_boms + "".join(bom(b) for b in boms if not b.startswith("-")))
    text = text.replace(end_of_boms, "".join(bom(b) for b in boms if b.startswith("-")) + end_of_boms)
    pom.write_text(text)


def bom(coordinates):
    group, artifact, version = coordinates.lstrip("-").split(":")
    return (f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
            "<type>pom</type><scope>import</scope></dependency>")


def check(home, out, project, used, boms, offline):
    """Builds the project, which generates and tests, and starts it. Returns a color, and the reason if it is not green."""
    folder = out / "greetings"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(project / "greetings", folder)
    change(folder / "pom.xml", used, boms)
    repository = project / "repository"
    code, text = maven(home, folder, repository, out / "project.log", "-o", "verify")
    if code and not offline:
        code, text = maven(home, folder, repository, out / "project.log", "verify")
    missing = re.search(r"Could not (?:find artifact|transfer artifact) (\S+)|artifact (\S+) has not been downloaded", text)
    if code and missing:
        return "grey", "the archetype's project cannot be resolved: " + next(m for m in missing.groups() if m)
    if code or "Tests run: 1, Failures: 0, Errors: 0, Skipped: 0" not in text or not (folder / "chart/Chart.yaml").is_file():
        errors = re.findall(r"\[ERROR\] +(\S[^\n]{1,160})", text)
        return "red", "the archetype's project does not build: " + (errors[0] if errors else "see project.log")
    return run(home, folder, repository, out / "project-start.log")


def run(home, folder, repository, log):
    process = start(home, folder, repository, log, "-o", "spring-boot:test-run", "-Dspring-boot.run.arguments=--server.port=0")
    try:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until and process.poll() is None:
            if STARTED in log.read_text(errors="replace"):
                return "green", ""
            time.sleep(0.5)
        return "red", "the archetype's project does not start: see " + str(log.relative_to(ROOT))
    finally:
        end(process)
