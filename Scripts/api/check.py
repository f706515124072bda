#!/usr/bin/env python3
"""Checks the running server against docs/api/openapi.json with schemathesis; see Scripts/check_api.sh."""
import contextlib
import functools
import gzip
import http.server
import json
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

import schemathesis.cli

import hooks
from known import Known

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "Tests/Web"))
from pictures import make  # noqa: E402
DOCUMENT = ROOT / "docs/api/openapi.json"

# Operations that generated requests cannot make succeed.
NEVER_SUCCEED = {
    "createOwner": "There is an owner, who makes everything that the other operations need.",
    "openToNetwork": "The options of this server, which trusts a proxy, decide who can connect.",
}
# Warnings that are right about a pass with arbitrary identifiers: nothing is found, and fields that refer to something
# are refused.
EXPECTED_OF_ARBITRARY = {"missing_test_data", "validation_mismatch", "low_valid_rate"}

# positive_data_acceptance is off: it fails on every refusal of a valid request, and JSON Schema cannot express some
# conditions (check digits of an ISBN, a shelf that exists, a photo that can be read).
OPTIONS = """
    --seed 1 --workers 1 --phases examples,coverage,fuzzing --mode all --exclude-checks positive_data_acceptance
    --request-timeout 60 --generation-database none --output-sanitize false --no-color
""".split()


def main():
    # Also ends the server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    quick = sys.argv[1:] == ["--quick"]
    examples = 4 if quick else int(sys.argv[1]) if sys.argv[1:] else 12
    with (tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder),
          server(pathlib.Path(folder), quick) as (process, address, code)):
        hooks.Run.known = Known(address, code, (ROOT / "Examples/shelf.jpg").read_bytes(), picture(),
                                (make() / "labelled.jpg").read_bytes(), pathlib.Path(folder) / "data/library.sqlite")
        problems = check(address, folder, examples, is_known=True, quick=quick) + unsuccessful()
        print_answers()
        if not quick:
            problems += check(address, folder, examples, is_known=False)
        if process.poll() is not None:
            problems.append(f"The server ended with status {process.returncode}.")
    for problem in problems:
        print(f"check_api: {problem}", file=sys.stderr)
    return 1 if problems else 0


def check(address, folder, examples, is_known, quick=False):
    """Checks all operations with identifiers that exist, or with arbitrary ones; returns what is wrong."""
    hooks.Run.is_known = is_known
    warnings = [kind for kind in schemathesis.config.SchemathesisWarning
                if is_known or kind not in EXPECTED_OF_ARBITRARY]
    names = json.dumps([str(kind) for kind in warnings])
    configuration = pathlib.Path(folder) / "schemathesis.toml"
    text = f"[warnings]\ndisplay = {names}\nfail-on = {names}\n"
    if quick:
        # 405 is the answer of the router, which the Swift tests ask for every path.
        text += "[phases.coverage]\nunexpected-methods = []\n"
    configuration.write_text(text)
    operations = "^/(health|ready|metrics)$"
    problems = []
    for place in (["--url", f"{address}/api/v1", "--exclude-path-regex", operations],
                  ["--url", address, "--include-path-regex", operations]):
        arguments = ["--config-file", str(configuration), "run", str(DOCUMENT), "--max-examples", str(examples)]
        try:
            schemathesis.cli.schemathesis.main(arguments + OPTIONS + place)
        except SystemExit as end:
            if end.code:
                problems.append(f"schemathesis found failures or warnings (status {end.code}); see above.")
    return problems


# MARK: The answers

def operations():
    """Returns the method, path, identifier and documented statuses of success of each operation."""
    for path, item in json.loads(DOCUMENT.read_text())["paths"].items():
        for method, operation in item.items():
            if "operationId" in operation:
                successes = {int(status) for status in operation["responses"] if re.match("2|303", status)}
                yield method.upper(), path, operation["operationId"], successes


def print_answers():
    print("\nAnswers to requests with identifiers that exist, by status:")
    for method, path, name, _ in operations():
        answers = " ".join(f"{status}×{count}" for status, count in sorted(hooks.Run.answers[name].items()))
        print(f"  {method:6} {path:45} {answers}")


def unsuccessful():
    """Returns operations that never succeeded, and reasons why one cannot that are out of date."""
    problems = []
    for method, path, name, successes in operations():
        succeeded = bool(successes & set(hooks.Run.answers[name]))
        if not succeeded and name not in NEVER_SUCCEED:
            problems.append(f"{method} {path} ({name}) never succeeded, so its answers were not checked.")
        if succeeded and name in NEVER_SUCCEED:
            problems.append(f"{name} succeeded. Remove it from NEVER_SUCCEED.")
    return problems


# MARK: The server

@contextlib.contextmanager
def server(folder, quick):
    """Runs a server without limits of requests, and what it downloads from; yields its process, address and code.

    The quick check uses the server of the tests: it is the same server, with recorded photos, and with passwords that are
    hashed in a thousandth of the time.
    """
    files = folder / "files"
    files.mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=files)) as local:
        threading.Thread(target=local.serve_forever, daemon=True).start()
        other = f"http://127.0.0.1:{local.server_port}"
        write_files(files, other)
        program = ["test-server", "--direct", "--recorded", ROOT / "Tests/Recorded"] if quick else ["shelflist", "serve"]
        command = [
            ROOT / ".build/release" / program[0], *program[1:], "--port", "0", "--data", folder / "data",
            "--requests-per-minute", "100000", "--trusted-proxies", "127.0.0.1", "--oidc-issuer", other,
            "--oidc-client-id", "check",
        ]
        environment = {"SHELFLIST_DUMPS_URL": f"{other}/", "SHELFLIST_OPENLIBRARY_URL": other, "HOME": str(folder), "SHELFLIST_CACHE": str(ROOT / ".build/test-cache")}
        # The server of the tests ends with its standard input.
        process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        try:
            address, code = started(process)
            with (folder / "log").open("w") as log:
                threading.Thread(target=log.writelines, args=[process.stdout], daemon=True).start()
                yield process, address, code
        finally:
            process.terminate()
            process.wait()
            local.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def started(process):
    """Returns the address of a server that has started, and the code with which its owner is created."""
    address = code = None
    log = []
    for line in process.stdout:
        log.append(line)
        address = (re.match(r"Shelflist is at (\S+)", line) or [None, address])[1]
        code = (re.search(r"set-up code (\S+)", line) or [None, code])[1]
        if address and code:
            return address, code
    raise RuntimeError("The server did not start: " + "".join(log))


def write_files(folder, address):
    """Writes what the server downloads, so that it asks no other host: dumps of one book each, the answer of Open Library
    to any search, and the description of an OpenID provider."""
    for kind, key in (("edition", "/books/OL1M"), ("work", "/works/OL1W"), ("author", "/authors/OL1A")):
        line = f'/type/{kind}\t{key}\t1\t2026-01-01T00:00:00\t{{"title": "Emma"}}\n'
        (folder / f"ol_dump_{kind}s_latest.txt.gz").write_bytes(gzip.compress(line.encode()))
    books = json.loads((ROOT / "Examples/shelf.json").read_text())["books"]
    (folder / "search.json").write_text(json.dumps({"docs": [
        {"key": f"/works/OL{number}W", "title": book["title"], "author_name": [book["author"]]}
        for number, book in enumerate(books)]}))
    (folder / ".well-known").mkdir()
    (folder / ".well-known/openid-configuration").write_text(json.dumps({
        "issuer": address, "authorization_endpoint": f"{address}/authorize", "token_endpoint": f"{address}/token",
        "jwks_uri": f"{address}/keys"}))


def picture():
    """Returns a grey PNG, which is read quickly."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"\x80" * 64 for _ in range(64))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    sys.exit(main())
