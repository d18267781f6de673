"""Checks whether libraries that modules bring along have known vulnerabilities, by their CycloneDX lists.

    vulnerabilities.py FOLDER ADVISORIES...

FOLDER is searched for *-cyclonedx.json and bom.json. ADVISORIES are files with advisories for Maven: a zip of entries in the OSV format, as
osv.dev publishes it, one such entry (*.json), or the table advisories-maven.csv, also within a jar. Ends with 1 if a library has a
vulnerability that vulnerabilities.txt beside this file does not accept, if an accepted one is gone, or if there is no list or no advisory.
"""

import csv
import io
import json
import pathlib
import re
import sys
import zipfile

QUALIFIERS = {"alpha": -5, "a": -5, "beta": -4, "b": -4, "milestone": -3, "m": -3, "rc": -2, "cr": -2, "snapshot": -1}
RELEASES = {"", "ga", "final", "release"}


def order(version):
    """Returns a key by which versions compare as in Maven: 1.0-rc1 < 1.0 = 1.0.0 = 1.0.Final < 1.0-sp < 1.0.1."""
    key = []
    for part in re.findall(r"\d+|[a-z]+", version.lower()):
        if part.isdigit():
            key.append((2, int(part), ""))
            continue
        while key and key[-1] == (2, 0, ""):
            key.pop()
        if part in QUALIFIERS:
            key.append((0, QUALIFIERS[part], ""))
        elif part not in RELEASES:
            key.append((1, 1, part))
    while key and key[-1] == (2, 0, ""):
        key.pop()
    return key + [(1, 0, "")]  # a release comes after its candidates, and before what follows it


class Advisory:
    """A range of versions of one library. The bounds are texts; an empty one is no bound."""

    def __init__(self, name, date, library, introduced, fixed, last, summary):
        self.name, self.date, self.library = name, date[:10], library
        self.introduced, self.fixed, self.last, self.summary = introduced, fixed, last, summary

    def affects(self, version):
        here = order(version)
        if self.introduced not in ("", "0") and here < order(self.introduced):
            return False
        if self.fixed:
            return here < order(self.fixed)
        return not self.last or here <= order(self.last)

    def __str__(self):
        end = f"fixed in {self.fixed}" if self.fixed else f"up to {self.last}" if self.last else "not fixed"
        return f"{self.name}: {self.summary} ({end})"


def from_table(text):
    for row in csv.reader(io.StringIO(text)):
        name, date, summary, library, introduced, fixed, last = row[:7]
        yield Advisory(name, date, library, introduced, fixed, last, summary)


def from_osv(entry):
    if entry.get("withdrawn"):
        return
    name = next((alias for alias in entry.get("aliases", []) if alias.startswith("CVE-")), entry["id"])
    for affected in entry.get("affected", []):
        if affected.get("package", {}).get("ecosystem") != "Maven":
            continue
        library = affected["package"]["name"]

        def advisory(introduced, fixed, last):
            return Advisory(name, entry.get("modified", ""), library, introduced, fixed, last, entry.get("summary", ""))

        for versions in affected.get("ranges", []):
            introduced = None
            for event in versions.get("events", []):
                if "introduced" in event:
                    introduced = event["introduced"]
                elif introduced is not None:
                    yield advisory(introduced, event.get("fixed", ""), event.get("last_affected", ""))
                    introduced = None
            if introduced is not None:
                yield advisory(introduced, "", "")
        if not affected.get("ranges"):
            for version in affected.get("versions", []):
                yield advisory(version, "", version)


def advisories(file):
    path = pathlib.Path(file)
    if path.suffix == ".json":
        yield from from_osv(json.loads(path.read_text()))
    elif path.suffix == ".csv":
        yield from from_table(path.read_text())
    else:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith("advisories-maven.csv"):
                    yield from from_table(archive.read(name).decode())
                elif name.endswith(".json"):
                    yield from from_osv(json.loads(archive.read(name)))


def libraries(folder):
    """Returns the versions of each library, and the number of lists."""
    found, lists = {}, 0
    for file in sorted(pathlib.Path(folder).rglob("*.json")):
        if file.name.endswith("-cyclonedx.json") or file.name == "bom.json":
            lists += 1
            for component in json.loads(file.read_text()).get("components", []):
                name = f"{component.get('group', '')}:{component['name']}"
                found.setdefault(name, set()).add(component.get("version", ""))
    return found, lists


def accepted():
    """Returns the accepted pairs of an advisory and a library; each line has a reason after them."""
    pairs = set()
    for line in pathlib.Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, library, _ = line.split(None, 2)
            pairs.add((name, library))
    return pairs


def main(folder, files):
    found, lists = libraries(folder)
    known = {}
    count, newest = 0, ""
    for file in files:
        for advisory in advisories(file):
            known.setdefault(advisory.library, []).append(advisory)
            count, newest = count + 1, max(newest, advisory.date)
    allowed, seen, problems = accepted(), set(), set()
    for library, versions in found.items():
        for advisory in known.get(library, []):
            for version in filter(advisory.affects, versions):
                if (advisory.name, library) in allowed:
                    seen.add((advisory.name, library))
                else:
                    problems.add(f"{library}:{version} has {advisory}")
    for problem in sorted(problems):
        print(f"  VULNERABLE {problem}")
    for name, library in sorted(allowed - seen):
        problems.add(f"{name} {library}")
        print(f"  GONE {name} of {library}: remove it from vulnerabilities.txt")
    print(f"  {len(found)} libraries in {lists} lists, {count} advisories up to {newest}, {len(problems)} problems")
    return 1 if problems or not lists or not count else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
