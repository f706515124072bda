#!/usr/bin/env python3
"""Checks that no test depends on real time: pauses, limits in seconds, clocks of the machine, and codes of an authenticator
app that are not made from a clock that the test holds (CONTRIBUTING.md).

usage: check_waits.py [--self-test]
"""
import pathlib
import re
import sys

from project_files import project_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
SWIFT = re.compile(
    r"Task\.sleep|Thread\.sleep|\b[un]?sleep\(\d|\bSystemClock\b|\bContinuousClock\b|\bSuspendingClock\b|asyncAfter|\.timeLimit\(")
#: Values of these types are harmless where a test holds the clock.
DURATION = re.compile(r"\.(?:micro|milli)?seconds\(|\.minutes\(")
HELD = re.compile(r"[cC]lock|\.advance\(by|EmbeddedChannel|TestingChannel")
PYTHON = re.compile(r"\btime\.sleep\(|\bwait_for_timeout\(|\btimeout=(?!LONGEST\b|PATIENCE\b)")
#: Tests that make codes of an authenticator app, and the machine's clock in them: between the code and its check, half a
#: minute may begin.
CODES = re.compile(r"\bone_time_code\b|\bb32decode\b|\baccess_steps\b|\bOneTimeCodes\b")
SWIFT_NOW = re.compile(r"\bDate\(\)|\bDate\.now\b|: \.now\b|\.timeIntervalSinceNow\b")
PYTHON_NOW = re.compile(r"\btime\.time(?:_ns)?\b|\bdatetime\.(?:datetime\.)?(?:now|utcnow|today)\b|\bfrom time import\b")

#: Followed by the reason.
ALLOWED = "# allowed: "
#: Where waiting is made, and scripts that take pictures of the app.
MAKERS = (
    "Tests/Support/TestSupport/", "Tests/Support/ports.py", "Tests/Web/tour.py", "Tests/Web/screenshots.py",
    "Scripts/faults/harness.py")
#: Examples of documents, which are compiled and never run.
EXAMPLES = "Examples.swift"
#: Durations that are arguments or results of a function without a clock.
VALUES = (
    "Tests/ScansTests/JobFollowersTests.swift", "Tests/ShelflistClientTests/FollowLadderTests.swift",
    "Tests/CommandTests/ServeConfigurationTests.swift", "Tests/ShelfScannerTests/ValueTests.swift")


def problems(path, text):
    """Yields the lines of a file that wait for real time, each with the reason."""
    if path.startswith(MAKERS) or path.endswith(EXAMPLES):
        return
    is_swift = path.endswith(".swift")
    holds = path in VALUES or HELD.search(text)
    makes_codes = CODES.search(text)
    for number, line in enumerate(text.splitlines(), 1):
        if ALLOWED in line:
            continue
        code = line.split("//")[0] if is_swift else line.split("#")[0]
        if found := (SWIFT if is_swift else PYTHON).search(code):
            yield f"{path}:{number}: '{found[0]}' depends on the machine's speed. Hold a clock, or wait for an event."
        elif makes_codes and (found := (SWIFT_NOW if is_swift else PYTHON_NOW).search(code)):
            yield f"{path}:{number}: '{found[0]}' in a test that makes codes. Make them from the server's clock, held."
        elif is_swift and not holds and (found := DURATION.search(code)):
            yield f"{path}:{number}: '{found[0]}…)' without a held clock. Pass a clock that the test advances."


def self_test():
    for path, line in [
            ("Tests/A.swift", "try await Task.sleep(for: pause)"), ("Tests/A.swift", "limits.connect = .milliseconds(300)"),
            ("Tests/A.swift", "@Suite(.timeLimit(.minutes(1)))"), ("Tests/A.swift", "let start = ContinuousClock.now"),
            ("Tests/Web/a.py", "time.sleep(0.1)"), ("Tests/Web/a.py", "expect(x).to_be_visible(timeout=20_000)"),
            ("Scripts/faults/a.py", "page.wait_for_timeout(100)"),
            ("Tests/Web/a.py", "from codes import one_time_code; now = time.time if server.is_real else server.stop_clock"),
            ("Tests/Apps/a.py", "code = one_time_code(secret, datetime.datetime.now().timestamp())"),
            ("Scripts/faults/a.py", "from access_steps import code; from time import time"),
            ("Tests/A.swift", "OneTimeCodes.period(of: Date())")]:
        assert len(list(problems(path, line))) == 1, line
    for path, line in [
            ("Tests/A.swift", "clock.advance(by: .seconds(5))"), ("Tests/A.swift", "// Task.sleep would be slower"),
            ("Tests/Web/a.py", "one_time_code(secret, server.stop_clock() + 30)"), ("Tests/Web/a.py", "start = time.time()"),
            ("Tests/A.swift", "OneTimeCodes.period(of: server.now)"), ("Tests/A.swift", "let start = Date()"),
            ("Tests/Web/a.py", "expect.set_options(timeout=PATIENCE)"), ("Tests/Apps/a.py", "time.sleep(1)  # allowed: why"), ("Tests/Support/TestSupport/A.swift", "Task.sleep("),
            ("Tests/ModelsTests/AExamples.swift", "watch(every: .seconds(10))")]:
        assert not list(problems(path, line)), line


def main():
    if "--self-test" in sys.argv[1:]:
        return self_test()
    files = project_files("Tests/*.swift", "Tests/*.py", "Scripts/faults/*.py")
    if not files:
        sys.exit("check_waits: There is no test.")
    found = [problem for path in files for problem in problems(path, (ROOT / path).read_text(encoding="utf-8"))]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
