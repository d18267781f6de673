"""Steps that print a line each, and the warnings that they may print."""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
WARNINGS = pathlib.Path(__file__).with_name("warnings.txt")

# What the tools print before a warning: Maven, Helm and kubectl, their libraries in Go, the JVM, and the log of Spring Boot.
MARKS = re.compile(r"\[(?:WARNING|ERROR)\]|^W\d{4} |^E\d{4} |\bWARNING:|^Warning: |^\S*\d\S* +(?:WARN|ERROR) |\d\dT\S+ +(?:WARN|ERROR) ")


class Failed(Exception):
    """A step that failed, with what the reader needs to know."""


class Road:
    """Runs the steps, and counts the listed warnings by their patterns."""

    def __init__(self, out):
        self.out = out
        self.problems = []
        self.listed = {pattern: 0 for pattern in patterns()}
        self.started = time.monotonic()

    @contextlib.contextmanager
    def step(self, title):
        started = time.monotonic()
        note, before, broken = [], len(self.problems), False
        try:
            yield note.append
        except Failed as failure:
            broken = True
            self.problems.append(f"{title}: {failure}")
        failed = len(self.problems) > before
        print(f"{'FAILED' if failed else 'ok':6} {time.monotonic() - started:6.0f} s  {title}"
              + (f": {'; '.join(note)}" if note else ""), flush=True)
        for problem in self.problems[before:]:
            print("                " + problem.replace("\n", "\n                  "), flush=True)
        if broken:  # the next steps need this one
            raise SystemExit(self.end())

    def check(self, title, text):
        """Looks for warnings in what was printed."""
        seen = set()
        for line in text.splitlines():
            line = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
            if not MARKS.search(line) or re.fullmatch(r"\[(WARNING|ERROR)\]", line):
                continue
            pattern = next((p for p in self.listed if re.search(p, line)), None)
            if pattern:
                self.listed[pattern] += 1
            elif line not in seen:
                seen.add(line)
                self.problems.append(f"{title}, unlisted: {line[:400]}")

    def run(self, title, command, cwd=None, env=None, seconds=1800, codes=(0,), input=None):
        """Runs a command, keeps what it prints, and looks for warnings. Returns the text."""
        log = self.out / "logs" / (re.sub(r"[^a-z0-9.]+", "-", title.lower()).strip("-") + ".log")
        log.parent.mkdir(parents=True, exist_ok=True)
        with open(log, "a") as output:
            start = output.tell()
            try:
                code = subprocess.run([str(c) for c in command], cwd=cwd, env={**os.environ, **(env or {})}, timeout=seconds,
                                      stdout=output, stderr=subprocess.STDOUT, text=True, input=input,
                                      **({} if input is not None else {"stdin": subprocess.DEVNULL})).returncode
            except subprocess.TimeoutExpired:
                code = f"none after {seconds} s"
        with open(log, errors="replace") as file:
            file.seek(start)
            text = file.read()
        if code not in codes:
            last = "\n".join(text.strip().splitlines()[-15:])
            raise Failed(f"{' '.join(str(c) for c in command)[:200]}: exit code {code}, see {log}\n{last}")
        self.check(title, text)
        return text

    def end(self):
        print(f"{time.monotonic() - self.started:14.0f} s  in all, {len(self.problems)} problems. Listed warnings:")
        for pattern, times in self.listed.items():
            print(f"{times:14}    {pattern}")
        return 1 if self.problems else 0


def patterns():
    """The patterns of the warnings that are listed with a reason; a reason is the comment above its patterns."""
    reason, found = "", []
    for line in WARNINGS.read_text().splitlines():
        if line.startswith("#"):
            reason = line
        elif line.strip():
            if not reason:
                sys.exit(f"{WARNINGS} has no reason for: {line}")
            found.append(line.strip())
        else:
            reason = ""
    return found


def until(what, seconds, condition, pause=0.5):
    """Waits until the condition returns something that is true, and returns that."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            last = condition()
        except Failed as failure:
            last = failure
        if last and not isinstance(last, Failed):
            return last
        time.sleep(pause)
    raise Failed(f"not within {seconds} s: {what}; last seen: {last}")
