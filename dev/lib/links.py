"""Checks that links between the documents of the project lead somewhere. Prints those that do not, and ends with 1 if there is one."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def anchors(file):
    """Returns the anchors of the headings, as pages of repositories name them, and those that a page sets itself."""
    text = re.sub(r"(?s)```.*?```", "", file.read_text(encoding="utf-8"))
    own = set(re.findall(r'<a id="([^"]+)">', text))
    titles = re.findall(r"(?m)^#+ (.+)$", text)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in titles)
    return own | {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in plain}


def broken(file):
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", file.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (file.parent / path).resolve() if path else file
        if not other.exists():
            yield f"{target} does not exist"
        elif anchor and other.suffix == ".md" and anchor not in anchors(other):
            yield f"{target} has no such heading"


def main():
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    problems = [f"{name}: {problem}" for name in files.stdout.split() for problem in broken(ROOT / name)]
    print("\n".join(problems) or "All links lead somewhere")
    return bool(problems)


sys.exit(main())
