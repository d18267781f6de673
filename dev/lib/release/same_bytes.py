"""Compares two file repositories that the same release was deployed to.

    same_bytes.py REPOSITORY OTHER

Prints the SHA-256 sum of each file in both. Signatures contain the time, and the metadata of a repository that of the deployment, so
they are left out. Ends with 1 if a file differs, or if only one of the repositories has it.
"""

import hashlib
import pathlib
import sys


def sums(repository):
    root = pathlib.Path(repository)
    return {
        str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(root.rglob("*"))
        if file.suffix in (".jar", ".pom", ".json") and file.is_file()
    }


def main(repository, other):
    first, second = sums(repository), sums(other)
    different = 0
    for name in sorted(first.keys() | second.keys()):
        one, two = first.get(name, "missing"), second.get(name, "missing")
        different += one != two
        print(f"  {one[:16]} {two[:16]} {'same' if one == two else 'DIFFERENT'} {name.rsplit('/', 1)[-1]}")
    print(f"  {len(first)} files, {different} differ")
    return 1 if different or not first else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
