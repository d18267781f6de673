#!/usr/bin/env python3
"""Checks the language of each document of 300 words and more. Ends with 1 if one of them misses a budget.

usage: prose.py [FILE...]   without files, all documents of the project; with files, also prints the numbers of each
       prose.py --lines FILE...   prints each sentence that counts

Budgets are per 10,000 words. A document may exceed a budget by two occurrences, so that a short one is not judged by chance. Code,
links, headings and short cells of tables do not count. docs/design/words.md has the words to use.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

AT_MOST = {  # a habit: pattern, occurrences in 10,000 words
    "that of, those of": (r"(?i)\b(that|those) of\b", 1),
    "of which, whose": (r"(?i)\b(of which|whose)\b", 3),
    "clauses with what": (r"(?i)(?<![.?!] )(?<!^)\bwhat\b", 5),
    "nobody, nothing": (r"(?i)\b(nobody|nothing|nowhere|no one)\b", 3),
    "sentences with So": (r"(?:(?<=[.!?] )|(?m:^))So\b", 1),
    "at once, beside, alone": (r"(?i)\b(at once|besides?|alone|any more|meanwhile)\b", 5),
}
YOU = r"(?i)\b(you|your|yours)\b"
YOU_AT_LEAST = 75

# Documents that are not checked, or not for one of the budgets, with the reason.
EXEMPT = {
    "LICENSE": "a legal text",
    "CODE_OF_CONDUCT.md": "the words of the Contributor Covenant",
    "benchmarks/README.md": "a log of measurements for contributors",
    "docs/design/words.md": "quotes the words that it replaces",
    "dev/mutation.md": "a list of mutants that survive, each with its reason",
}
GENERATED = "<!-- Generated from"  # the words are those of the comments in the code
NOT_ADDRESSED = {
    "docs/design/": "a decision has a subject, and no reader who acts",
    "CHANGELOG.md": "a list of features",
    "docs/java-operator-sdk.md": "a table of tests",
    "RELEASE.md": "a list of steps",
    "dev/testing.md": "describes tests",
}


def prose(text):
    """Returns the sentences of a document, and of its tables the cells of four words and more."""
    text = re.sub(r"(?s)```.*?```", " ", text)
    text = re.sub(r"(?s)<!--.*?-->|<img [^>]*>", " ", text)
    text = re.sub(r"(?m)^\s*\|.*$", lambda row: " ".join(c + "." for c in row.group(0).split("|") if len(c.split()) >= 4), text)
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(?m)^#+ .*$", " ", text)


def words(text):
    return len(re.findall(r"[A-Za-z][A-Za-z'-]*", text))


def exempt(name, names):
    return any(name == each or each.endswith("/") and name.startswith(each) for each in names)


def missed(name, text):
    """Returns a sentence for each budget that a text misses."""
    count = words(text)
    if count < 300 or exempt(name, EXEMPT):
        return []
    problems = []
    for habit, (pattern, limit) in AT_MOST.items():
        found, allowed = len(re.findall(pattern, text)), int(limit * count / 10000 + 2)
        if found > allowed:
            problems.append(f"{found} times '{habit}', at most {allowed}")
    addressed, least = len(re.findall(YOU, text)), YOU_AT_LEAST * count / 10000
    if addressed < least and not exempt(name, NOT_ADDRESSED):
        problems.append(f"{addressed} times 'you', at least {least:.1f}")
    return problems


def sentences(text):
    flat = re.sub(r"\s+", " ", text)
    for sentence in re.split(r"(?<=[.!?:]) ", flat):
        for habit, (pattern, _) in AT_MOST.items():
            if re.search(pattern, sentence):
                yield f"{habit}: {sentence.strip()}"


def documents():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split() if (ROOT / name).exists() and "/resources/" not in name and ".github/" not in name]


def main(arguments):
    lines, names = "--lines" in arguments, [a for a in arguments if a != "--lines"]
    problems = []
    for name in names or documents():
        source = (ROOT / name).read_text(encoding="utf-8")
        text = "" if GENERATED in source else prose(source)
        if lines:
            print("\n".join(f"{name}: {sentence}" for sentence in sentences(text)))
        elif names:
            found = ", ".join(f"{habit} {len(re.findall(p, text))}" for habit, (p, _) in AT_MOST.items())
            print(f"{name}: {words(text)} words, {found}, you {len(re.findall(YOU, text))}")
        problems += [f"{name}: {problem}" for problem in missed(name, text)]
    print("\n".join(problems) or "The language of all documents is within its budgets")
    if problems and not lines:
        print("python3 dev/lib/prose.py --lines FILE shows the sentences")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
