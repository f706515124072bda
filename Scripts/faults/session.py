"""What an owner does on a server, in steps, for tests that interrupt each of them: what each step sends, and the state before
and after it."""
import copy
import json
import pathlib
import shutil

import access_log
import access_steps
import harness
import libraries
from step import Refused, Step, answered, posting, request, setting

#: The words of the files of accounts that are compared; others are random.
WORDS = {access_steps.NAME, "Bea", "A script", "A phone", "owner", "editor", "read"}
ROWS = 120
TITLES = [f"Listed book {number}" for number in range(ROWS)]
EMMA = {"title": "Emma", "authors": ["Jane Austen"], "tags": ["novel"], "duplicates": "addCopy",
        "loan": {"to": "Bea", "since": "2026-11-01", "due": "2030-01-01"}}
JSON_FILES = ("accounts.json", "apps.json", "services.json", "format.json")


# What the steps send


def add_book(server, known):
    known["book"] = request(known, server, "POST", "library", EMMA, 201)["id"]


def set_cover(server, known):
    kind = {"Content-Type": "image/jpeg", "Cookie": known["cookie"]}
    answered(server.exchange("PUT", f"/api/v1/library/{known['book']}/cover", harness.PHOTO, kind), 200)


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


def undoing(name):
    """Undoes the change whose token the dictionary has under a name."""
    return lambda server, known: request(known, server, "POST", "undo", {"undoToken": known[name]})


def add_shelf(server, known):
    known["shelf"] = request(known, server, "POST", "shelves", {"name": "Attic"}, 201)["id"]


def change_all(server, known):
    books = request(known, server, "GET", "library?limit=500")["items"]
    change = {"ids": [book["id"] for book in books], "shelf": known["shelf"], "addTags": ["moved"]}
    known["undo of all"] = request(known, server, "POST", "library/bulk", change)["undoToken"]


def answer_label(server, known):
    question = request(known, server, "GET", "label-questions")["items"][0]["id"]
    answer = {"accept": True, "name": "Attic / Board 1"}
    known["undo of answer"] = request(known, server, "POST", f"label-questions/{question}", answer)["undoToken"]


def upload(server, known):
    """Sends a photo of a shelf, about whose label it asks."""
    body, kind = harness.form(harness.LABELLED.read_bytes(), shelf=known["shelf"])
    headers = {"Content-Type": kind, "Cookie": known["cookie"], "Idempotency-Key": "photo", "X-Device-ID": "owner"}
    job = known["job"] = answered(server.exchange("POST", "/api/v1/scans", body, headers), 200, 202)[1]["jobId"]
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
    return [
        *access_steps.of_start(),
        Step("settings", setting({"threshold": 0.7, "keepShelfPhotos": True, "keepShelfPictures": False})),
        Step("settings of providers", setting({"sourceChosen": True})),
        Step("new book", add_book),
        Step("cover", set_cover),
        Step("new copy", posting("library", EMMA)),
        Step("merge", merge),
        Step("list import", import_list, is_of_list),
        Step("new shelf", add_shelf),
        Step("change of all books", change_all),
        Step("undo of the change", undoing("undo of all")),
        Step("undo", undoing("undo")),
        Step("scan", upload, is_of_scan, waits=True),
        Step("answer about a label", answer_label),
        Step("undo of the answer", undoing("undo of answer")),
        Step("catalog download", download),
        *access_steps.of_end(),
    ]


def is_of_list(before, left, after):
    return all(before[part] == left[part] for part in left if part != "library") and libraries.is_between(
        before["library"], left["library"], after["library"], TITLES)


def is_of_scan(before, left, after):
    """The books of a photo and the questions about its labels are added at once, and its statistics later."""
    books = ("entry", "detection", "photo", "labelQuestion", "labelledSpine")
    return (libraries.has_all(before["library"], left["library"]) and libraries.has_all(left["library"], after["library"])
            and [left["library"][table] for table in books] in [
                [state["library"][table] for table in books] for state in (before, after)])


# States


def state(data):
    """All that a data folder holds, for comparison; what is computed from the rest may be computed later."""
    data = pathlib.Path(data)
    tables = {table: rows for table, rows in libraries.state(data).items() if table not in libraries.COMPUTED}
    found = {"library": tables, "catalog": libraries.catalog(data)}
    for name in JSON_FILES:
        found[name] = plain(json.loads((data / name).read_text())) if (data / name).exists() else None
    return found


def plain(value):
    """A JSON value without what is random or a time, and without the number of codes that were used."""
    if isinstance(value, dict):
        return {key: "…" if key == "earlierPeriods" else plain(item) for key, item in value.items()}
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
        entries = access_log.entries(running.data)
        writes, reads = control["writes"], control["reads"]
        step.send(running, known)
        step.writes, step.reads = control["writes"] - writes, control["reads"] - reads
        step.after, step.entries = seen(running.data), access_log.entries(running.data) - entries
        assert step.before != step.after, f"the step {step.name} changes nothing"
    assert running.stop() == 0, "the server did not stop cleanly"
    return found
