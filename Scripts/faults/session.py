"""What an owner does on a server, in steps, for tests that interrupt each of them: what each step sends, and the state before
and after it."""
import copy
import json
import pathlib
import shutil

import harness
import libraries

NAME, PASSWORD = "Ada", "correct horse battery"
#: The words of the files of accounts that are compared; others are random.
WORDS = {NAME, "Bea", "A script", "A phone", "owner", "editor", "read"}
ROWS = 120
TITLES = [f"Listed book {number}" for number in range(ROWS)]
JSON_FILES = ("accounts.json", "apps.json", "services.json", "format.json")


class Step:
    """A change, in the order of an owner's requests.

    `send` gets the server and a dictionary, in which it keeps what later steps need; it returns once the change is made,
    and raises `Refused` for an answer that is an error.
    """

    def __init__(self, name, send, between=lambda before, left, after: False, waits=False):
        """`between` returns whether a fault may leave a state that is neither that before nor that after the step.

        `waits` means that it is not refused on a full disk, but waits for room.
        """
        self.name, self.send, self.between, self.waits = name, send, between, waits
        #: The data folder and the dictionary before the step, and the states before and after it.
        self.folder = self.known = self.before = self.after = None
        #: The writes and reads of the step when nothing disturbs it.
        self.writes = self.reads = 0


class Refused(Exception):
    """The server answered that a change was not made."""


def answered(answer, *wanted):
    status, headers, value = answer
    if status not in wanted:
        raise Refused(f"{status} {value}")
    return headers, value


# What the steps send


def set_up(server, known):
    """Creates the owner, or signs in where one exists: of a set-up that failed after the owner was stored."""
    credentials = {"name": NAME, "password": PASSWORD}
    answer = server.exchange("POST", "/api/v1/setup", {**credentials, "role": "owner"})
    if answer[0] == 409:
        answer = server.exchange("POST", "/api/v1/session", credentials)
    headers, _ = answered(answer, 200, 201)
    known["cookie"] = headers["set-cookie"].split(";")[0]


def is_set_up(before, left, after):
    """The owner is stored before the session."""
    def members(state):
        return [{**state["accounts.json"]["accounts"], "sessions": []}, {**state, "accounts.json": None}]

    return members(left) == members(after)


def sign_in(server, known):
    answered(server.exchange("POST", "/api/v1/session", {"name": NAME, "password": PASSWORD}), 200)


def request(known, server, method, path, body=None, wanted=200):
    return answered(server.exchange(method, f"/api/v1/{path}", body, {"Cookie": known["cookie"]}), wanted)[1]


def posting(path, body, wanted=201):
    return lambda server, known: request(known, server, "POST", path, body, wanted)


def add_token(server, known):
    known["token"] = request(known, server, "POST", "tokens", {"name": "A script", "scopes": ["read"]}, 201)["secret"]


def add_app(server, known):
    known["app"] = request(known, server, "POST", "apps", {"name": "A phone"}, 201)["path"]


def setting(change):
    def send(server, known):
        status = server.change_settings(change, {"Cookie": known["cookie"]})
        if status != 200:
            raise Refused(f"{status}")

    return send


def merge(server, known):
    question = request(known, server, "GET", "duplicates")["items"][0]["id"]
    request(known, server, "POST", "duplicates/decide", {"ids": [question], "decision": "existing"})


def import_list(server, known):
    rows = "title,author\n" + "".join(f"{title},Author {number}\n" for number, title in enumerate(TITLES))
    # A file of its own has an import of its own.
    kind = {"Content-Type": "text/csv", "X-File-Name": "list.csv", "Cookie": known["cookie"]}
    started = answered(server.exchange("POST", "/api/v1/imports", rows, kind), 201)[1]["id"]
    request(known, server, "POST", f"imports/{started}/start", {}, 202)
    found = {}

    def has_ended():
        found.update(request(known, server, "GET", f"imports/{started}"))
        return found["status"] != "running"

    harness.until(has_ended, "the import of a list")
    if found["status"] != "completed":
        raise Refused(f"the import {found['status']}: {found.get('problem')}")
    known["undo"] = found["undoToken"]


def undo(server, known):
    request(known, server, "POST", "undo", {"undoToken": known["undo"]})


def upload(server, known):
    body, kind = harness.form(harness.PHOTO)
    headers = {"Content-Type": kind, "Cookie": known["cookie"], "Idempotency-Key": "photo", "X-Device-ID": "owner"}
    job = answered(server.exchange("POST", "/api/v1/scans", body, headers), 200, 202)[1]["jobId"]
    found = {}

    def has_ended():
        # Not its events: their stream ends where the disk fails.
        found.update(request(known, server, "GET", f"scans/{job}"))
        return found.get("finishedAt")

    harness.until(has_ended, "a scan")
    if found["status"] != "completed":
        raise Refused(f"the scan {found['status']}")


def download(server, known):
    # One that a killed server had begun is resumed by itself.
    answered(server.exchange("POST", "/api/v1/catalog/download", {}, {"Cookie": known["cookie"]}), 202, 409)
    found = {}

    def has_ended():
        # The answer has no download once it has ended.
        found.clear()
        found.update(request(known, server, "GET", "catalog"))
        return (found.get("download") or {}).get("state") not in ("running", "stopping", "elsewhere")

    harness.until(has_ended, "the download of a catalog")
    if found.get("download") or not found["exists"]:
        raise Refused(f"the download: {found.get('download')}")


def steps():
    """The steps, in their order."""
    emma = {"title": "Emma", "authors": ["Jane Austen"], "tags": ["novel"], "duplicates": "addCopy",
            "loan": {"to": "Bea", "since": "2026-11-01", "due": "2030-01-01"}}
    return [
        Step("setup", set_up, is_set_up),
        Step("sign-in", sign_in),
        Step("settings", setting({"threshold": 0.7, "keepShelfPhotos": True, "keepShelfPictures": False})),
        Step("settings of providers", setting({"sourceChosen": True})),
        Step("new member", posting("members", {"name": "Bea", "password": PASSWORD, "role": "editor"})),
        Step("new token", add_token),
        Step("new app", add_app),
        Step("new book", posting("library", emma)),
        Step("new copy", posting("library", emma)),
        Step("merge", merge),
        Step("list import", import_list, is_of_list),
        Step("undo", undo),
        Step("scan", upload, is_of_scan, waits=True),
        Step("catalog download", download),
    ]


def is_of_list(before, left, after):
    return all(before[part] == left[part] for part in left if part != "library") and libraries.is_between(
        before["library"], left["library"], after["library"], TITLES)


def is_of_scan(before, left, after):
    """The books of a photo are added at once, and its statistics later."""
    books = ("entry", "detection")
    return (libraries.has_all(before["library"], left["library"]) and libraries.has_all(left["library"], after["library"])
            and [left["library"][table] for table in books] in [
                [state["library"][table] for table in books] for state in (before, after)])


# States


def state(data):
    """All that a data folder holds, for comparison."""
    data = pathlib.Path(data)
    found = {"library": libraries.state(data), "catalog": libraries.catalog(data)}
    for name in JSON_FILES:
        found[name] = plain(json.loads((data / name).read_text())) if (data / name).exists() else None
    return found


def plain(value):
    """A JSON value without what is random or a time."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return sorted(map(plain, value), key=str)
    if isinstance(value, str):
        return value if value in WORDS else "…"
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def differences(found, wanted):
    return "; ".join(
        part if part.endswith(".json") else f"{part}: {libraries.differences(found[part], wanted[part])}"
        for part in found if found[part] != wanted[part])


def seen(data):
    """The state of a folder, read from a copy: opening a database repairs it."""
    folder = pathlib.Path(f"{data}-seen")

    def is_copied():
        shutil.rmtree(folder, ignore_errors=True)
        try:
            return shutil.copytree(data, folder)
        except shutil.Error:
            # A server removed a temporary file while it was copied.
            return None

    harness.until(is_copied, "the copy of a data folder")
    return state(folder)


def log_problem(data):
    """What is wrong with the access log: a fault may cut off the last line of each file only, and only once."""
    for name in ("audit.jsonl", "sign-ins.jsonl"):
        log = pathlib.Path(data) / name
        broken = 0
        for line in log.read_bytes().splitlines() if log.exists() else []:
            try:
                json.loads(line)
            except ValueError:
                broken += 1
        if broken > 1:
            return f"{broken} lines of {name} are damaged"
    return None


# The undisturbed run


def record(work, server):
    """Runs the steps on a server that nothing disturbs. Returns them with their folders, states and counts.

    `server` makes a server for a folder and a control.
    """
    work, known, found = pathlib.Path(work), {}, steps()
    control = harness.Control(work)
    running = server(work / "undisturbed", control)
    running.start()
    for number, step in enumerate(found):
        step.folder, step.known = work / f"step-{number}", copy.deepcopy(known)
        shutil.copytree(running.data, step.folder)
        step.before = seen(step.folder)
        writes, reads = control["writes"], control["reads"]
        step.send(running, known)
        step.writes, step.reads = control["writes"] - writes, control["reads"] - reads
        step.after = seen(running.data)
        assert step.before != step.after, f"the step {step.name} changes nothing"
    assert running.stop() == 0, "the server did not stop cleanly"
    return found


def confirm(server, known):
    """Enters the password again, which a session that is older than 15 minutes needs.

    Once for each start of a server: it counts as a sign-in, of which an address has ten a minute.
    """
    if "cookie" in known:
        request(known, server, "POST", "session/confirm", {"password": PASSWORD}, 204)
