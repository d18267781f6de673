"""Checks the licenses of all libraries that modules bring along, by their CycloneDX lists.

    licenses.py FOLDER

FOLDER is searched for *-cyclonedx.json. Prints each license with its libraries; ends with 1 if a library has none of the licenses that
we accept, or if there is no list.
"""

import collections
import json
import pathlib
import sys

ACCEPTED = {
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "EPL-1.0",
    "EPL-2.0",
    "MIT",
    "MIT-0",
}
# Names in POMs that are no identifiers, and what they stand for.
NAMES = {
    "Bouncy Castle Licence": "MIT",
    "Eclipse Public License v. 2.0": "EPL-2.0",
    "Go License": "BSD-3-Clause",
}


def licenses(component):
    for entry in component.get("licenses", []):
        named = entry.get("license", {})
        name = named.get("id") or named.get("name") or entry.get("expression") or "?"
        yield NAMES.get(name, name)


def main(folder):
    libraries = collections.defaultdict(set)
    refused = []
    lists = sorted(pathlib.Path(folder).rglob("*-cyclonedx.json"))
    for file in lists:
        for component in json.loads(file.read_text()).get("components", []):
            library = f"{component.get('group')}:{component['name']}:{component.get('version')}"
            found = sorted(set(licenses(component)))
            libraries[" or ".join(found) or "none"].add(library)
            if not ACCEPTED.intersection(found):
                refused.append(f"{library} has the license '{' or '.join(found) or 'none'}'")
    for name, users in sorted(libraries.items()):
        print(f"  {name}: {len(users)} libraries")
    for problem in sorted(set(refused)):
        print(f"  REFUSED {problem}")
    print(f"  {sum(map(len, libraries.values()))} libraries in {len(lists)} lists, {len(set(refused))} refused")
    return 1 if refused or not lists else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
