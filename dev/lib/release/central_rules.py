"""Checks a file repository against the rules of Maven Central.

    central_rules.py REPOSITORY VERSION BOM

REPOSITORY is the folder that a release was deployed to, VERSION the version that each component must have, and BOM the POM whose
managed components must all be there. Signatures are verified with the keys of GNUPGHOME. Prints a line for each component, and a
line for each rule that is broken; ends with 1 if there is one.
"""

import hashlib
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

POM = "{http://maven.apache.org/POM/4.0.0}"
CHECKSUMS = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha512": hashlib.sha512}
REQUIRED_CHECKSUMS = ("md5", "sha1")
REQUIRED_ELEMENTS = (
    "name",
    "description",
    "url",
    "licenses/license/name",
    "licenses/license/url",
    "developers/developer/name",
    "developers/developer/email",
    "scm/connection",
    "scm/developerConnection",
    "scm/url",
)
GROUP = "io.github.reconciler4j"


def text(pom, path):
    return (pom.findtext(POM + path.replace("/", "/" + POM)) or "").strip()


class Component:
    """One artifact in one version: a folder of the repository."""

    def __init__(self, pom_file):
        self.pom_file = pom_file
        self.folder = pom_file.parent
        self.pom = ElementTree.parse(pom_file).getroot()
        self.base = pom_file.name[: -len(".pom")]
        self.problems = []

    def check(self, repository, version):
        self.check_coordinates(repository, version)
        self.check_pom()
        packaging = text(self.pom, "packaging") or "jar"
        if packaging != "pom":
            self.check_jars()
        files = [file for file in self.folder.iterdir() if not is_derived(file)]
        for file in files:
            self.check_checksums(file)
            self.check_signature(file)
        return len(files)

    def broken(self, rule):
        self.problems.append(f"{self.base}: {rule}")

    def check_coordinates(self, repository, version):
        group, artifact, own = (text(self.pom, name) for name in ("groupId", "artifactId", "version"))
        expected = repository.joinpath(*group.split("."), artifact, own) if group and artifact and own else None
        if expected is None or expected.resolve() != self.folder.resolve():
            self.broken(f"the POM names {group}:{artifact}:{own}, which is not the folder {self.folder}")
        if own != version or own.endswith("-SNAPSHOT"):
            self.broken(f"the version is '{own}', not the release '{version}'")

    def check_pom(self):
        for path in REQUIRED_ELEMENTS:
            if not text(self.pom, path):
                self.broken(f"the POM has no {path}")
        content = self.pom_file.read_text()
        for unresolved in sorted(set(re.findall(r"\$\{[^}]*}", content))):
            self.broken(f"the POM contains {unresolved}, which nothing resolves")
        if "CHANGE-ME" in content:
            self.broken("the POM contains a placeholder of release.properties")
        for name in ("repositories", "pluginRepositories", "parent"):
            if self.pom.find(POM + name) is not None:
                self.broken(f"the POM has the element {name}")
        for dependency in self.pom.iterfind(f"{POM}dependencies/{POM}dependency"):
            own = dependency.findtext(POM + "version") or ""
            if not own or "SNAPSHOT" in own or own.startswith(("[", "(")):
                self.broken(f"{dependency.findtext(POM + 'artifactId')} has the version '{own}'")

    def check_jars(self):
        for classifier in ("", "-sources", "-javadoc"):
            file = self.folder / f"{self.base}{classifier}.jar"
            if not file.is_file():
                self.broken(f"{file.name} is missing")
            elif not zipfile.ZipFile(file).namelist():
                self.broken(f"{file.name} is empty")
        if not (self.folder / f"{self.base}-cyclonedx.json").is_file():
            self.broken("the list of libraries (SBOM) is missing")  # our rule, not one of Maven Central
        if list(self.folder.glob("*-tests.jar")):
            self.broken("the classes of tests are published")  # ours, too

    def check_checksums(self, file):
        content = file.read_bytes()
        for name, function in CHECKSUMS.items():
            sum_file = file.with_name(f"{file.name}.{name}")
            if sum_file.is_file():
                if sum_file.read_text().split()[0] != function(content).hexdigest():
                    self.broken(f"{sum_file.name} is not the sum of the file")
            elif name in REQUIRED_CHECKSUMS:
                self.broken(f"{sum_file.name} is missing")

    def check_signature(self, file):
        signature = file.with_name(file.name + ".asc")
        if not signature.is_file():
            self.broken(f"{signature.name} is missing")
            return
        verified = subprocess.run(
            ["gpg", "--batch", "--verify", str(signature), str(file)], capture_output=True, text=True, check=False
        )
        if verified.returncode != 0:
            self.broken(f"{signature.name} is not a valid signature of the file")


def is_derived(file):
    return file.name.endswith((".asc", ".asc.md5", ".asc.sha1", ".asc.sha256", ".asc.sha512")) or file.suffix[1:] in CHECKSUMS


def expected_artifacts(bom):
    """Returns what the BOM manages of ours, and the BOM."""
    root = ElementTree.parse(bom).getroot()
    managed = root.iterfind(f"{POM}dependencyManagement/{POM}dependencies/{POM}dependency")
    ours = {d.findtext(POM + "artifactId") for d in managed if d.findtext(POM + "groupId") == GROUP}
    return ours | {root.findtext(POM + "artifactId")}


def main(repository, version, bom):
    repository = pathlib.Path(repository)
    problems = []
    found = set()
    for pom_file in sorted(repository.rglob("*.pom")):
        component = Component(pom_file)
        files = component.check(repository, version)
        found.add(text(component.pom, "artifactId"))
        print(f"  {component.base}: {files} files, {len(component.problems)} rules broken")
        problems += component.problems
    for missing in sorted(expected_artifacts(bom) - found):
        problems.append(f"{missing} is in the BOM, but not in the repository")
    for extra in sorted(found - expected_artifacts(bom)):
        problems.append(f"{extra} is in the repository, but not in the BOM")
    for problem in problems:
        print(f"  BROKEN {problem}")
    print(f"  {len(found)} components, {len(problems)} rules broken")
    return 1 if problems or not found else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
