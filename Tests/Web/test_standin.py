"""The stand-in server is not kinder than the real one: both get the same requests, and must answer with the same status
and the same shape."""
import json
import time
import urllib.error
import urllib.request

import contract
import pytest
import standin
from conftest import small_photo
from old import server  # noqa: F401


# Objects whose keys are data.
FREE = {"/mapping", "/data"}


class Client:
    """Calls one server, and records each answer under a name that both servers share."""

    def __init__(self, address):
        self.address, self.cookie, self.answers, self.violations = address, None, {}, []

    def call(self, name, method, path, body=None, match=None, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/v1{path}", data, method=method)
        request.add_header("X-Device-ID", "contract")
        for key, value in {"Content-Type": kind if data is not None else None, "If-Match": match, "Cookie": self.cookie, **headers}.items():
            if value:
                request.add_header(key.replace("_", "-"), value)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            raw, status, media = answer.read(), answer.status, answer.headers.get("content-type", "")
            self.cookie = (answer.headers.get("set-cookie") or "").split(";")[0] or self.cookie
        self.violations += contract.violations(method, f"/api/v1{path.split('?')[0]}", status, media, raw)
        value = json.loads(raw) if media.split(";")[0].endswith("json") else None
        assert name not in self.answers
        self.answers[name] = (status, media.split(";")[0], value)
        return value


def form(**fields):
    parts = [f'--b\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()]
    photo = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n' + small_photo().read_bytes()
    return b"".join(parts) + photo + b"\r\n--b--\r\n"


def walk(c):
    """The requests of the app: each operation once as it succeeds, and once as it fails."""
    about_the_server(c)
    account(c)
    apps(c)
    job = scan(c)
    review(c, job)
    books(c, job)
    lists(c)
    mistakes(c)
    catalog(c)
    return c


def about_the_server(c):
    c.call("sign in", "POST", "/session", {"name": "Ada", "password": "correct horse battery"})
    c.call("session", "GET", "/session")
    c.call("about", "GET", "/about")
    c.call("phone", "GET", "/phone")
    settings = c.call("settings", "GET", "/settings")
    c.call("settings without a revision", "PATCH", "/settings", {"threshold": 0.65})
    changed = c.call("settings changed", "PATCH", "/settings", {"threshold": 0.65}, match=settings["etag"])
    c.call("settings with an old revision", "PATCH", "/settings", {"threshold": 0.7}, match='"0"')
    c.call("settings out of range", "PATCH", "/settings", {"threshold": 7}, match=changed["etag"])
    c.call("source not chosen", "PATCH", "/settings", {"sourceChosen": False}, match=changed["etag"])
    c.call("unknown provider", "PATCH", "/settings", {"providers": [{"id": "amazon", "enabled": True}]}, match=changed["etag"])
    c.call("source chosen", "PATCH", "/settings", {"sourceChosen": True, "providers": [{"id": "isbndb", "enabled": False}]}, match=changed["etag"])
    c.call("threshold", "GET", "/settings/threshold-preview?threshold=0.6")
    for name in ("members", "tokens", "apps", "stats", "stats/review", "tags", "review", "review/counts", "duplicates", "library", "shelves"):
        c.call(f"{name} of a new server", "GET", f"/{name}")


def account(c):
    c.call("confirmed with a wrong password", "POST", "/session/confirm", {"password": "a guess"})
    c.call("confirmed", "POST", "/session/confirm", {"password": "correct horse battery"})
    assert c.call("sessions", "GET", "/sessions")["items"][0]["current"]
    c.call("no such session", "DELETE", "/sessions/none")
    c.call("other sessions ended", "DELETE", "/sessions")
    secret = c.call("second factor", "POST", "/session/second-factor")["secret"]
    path = "/session/second-factor"
    c.call("second factor with a wrong code", "PUT", path, {"secret": secret, "code": "x"})
    assert len(c.call("second factor on", "PUT", path, {"secret": secret, "code": standin.one_time_code(secret)})["recoveryCodes"]) == 10
    c.call("sign in without a code", "POST", "/session", {"name": "Ada", "password": "correct horse battery"})
    c.call("sign in with a wrong code", "POST", "/session", {"name": "Ada", "password": "correct horse battery", "code": "x"})
    c.call("session with a second factor", "GET", "/session")
    c.call("second factor off", "DELETE", path)


def apps(c):
    made = c.call("app", "POST", "/apps", {"name": "Ada's phone"})["app"]
    c.call("app of the same name", "POST", "/apps", {"name": "Ada's phone"})
    c.call("app without a name", "POST", "/apps", {"name": " "})
    c.call("app without any name", "POST", "/apps", {})
    app = f"/apps/{made['id']}"
    c.call("app without a revision", "PATCH", app, {"importsAtOnce": False})
    changed = c.call("app changed", "PATCH", app, {"importsAtOnce": False, "generation": "older"}, match=made["etag"])
    assert not changed["importsAtOnce"] and changed["generation"] == "older"
    c.call("app with an old revision", "PATCH", app, {"importsAtOnce": True}, match=made["etag"])
    c.call("apps", "GET", "/apps")
    c.call("scans of an app", "GET", f"/scans?app={made['id']}")
    c.call("app revoked", "DELETE", app)
    c.call("app revoked again", "DELETE", app)
    c.call("no such app", "PATCH", app, {"importsAtOnce": True}, match=changed["etag"])


def scan(c):
    frame = c.call("preview", "POST", "/preview", small_photo().read_bytes(), kind="image/jpeg")
    assert frame["spines"]
    key = {"Idempotency_Key": "0123456789abcdef"}
    waiting = form(**{"import": "false"})
    job = c.call("scan", "POST", "/scans", waiting, kind="multipart/form-data; boundary=b", **key)["jobId"]
    again = c.call("scan repeated", "POST", "/scans", waiting, kind="multipart/form-data; boundary=b", **key)["jobId"]
    assert again == job
    deadline = time.monotonic() + 300
    while True:
        c.answers.pop("events", None)
        page = c.call("events", "GET", f"/scans/{job}/events?after=0")
        if page["done"]:
            break
        assert time.monotonic() < deadline
        time.sleep(0.1)
    kinds = {e["type"]: e for e in page["events"]}
    assert {"progress", "photo", "segmented", "book_progress", "result", "completed"} <= kinds.keys()
    for kind in ("photo", "segmented", "book_progress", "result"):
        c.answers[f"event {kind}"] = (200, "", kinds[kind])
    c.violations += [v for e in page["events"] for v in contract.event_violations(e)]
    results = c.call("results", "GET", f"/scans/{job}/results")
    c.call("the job's photo", "GET", f"/scans/{job}/photos/1")
    unsure = [b["id"] for b in results["books"] if b["reviewStatus"] == "needsReview"][:3]
    assert len(unsure) == 3
    book = f"/scans/{job}/books/{unsure[0]}"
    c.call("book rejected before it is added", "PATCH", book, {"rejected": True})
    c.call("results after a rejection", "GET", f"/scans/{job}/results")
    c.call("book not rejected any more", "PATCH", book, {"rejected": False})
    c.call("book without a title", "PATCH", book, {"title": " "})
    c.call("no such book of a scan", "PATCH", f"/scans/{job}/books/9-9", {"title": "x"})
    imported = c.call("import", "POST", f"/scans/{job}/import", {"books": unsure})
    c.call("results after the import", "GET", f"/scans/{job}/results")
    c.call("undo of an import", "POST", "/undo", {"undoToken": imported["undoToken"]})
    c.call("undo of an import again", "POST", "/undo", {"undoToken": imported["undoToken"]})
    c.call("results after the undo", "GET", f"/scans/{job}/results")
    c.call("second import", "POST", f"/scans/{job}/import", {"books": unsure})
    renamed = c.call("book renamed", "PATCH", book, {"title": "By hand"})
    c.call("undo of a new name", "POST", "/undo", {"undoToken": renamed["undoToken"]})
    rejected = c.call("book rejected", "PATCH", book, {"rejected": True})
    c.call("rejected book renamed", "PATCH", book, {"title": "By hand"})
    c.call("undo of a rejection", "POST", "/undo", {"undoToken": rejected["undoToken"]})
    c.call("import of unknown books", "POST", f"/scans/{job}/import", {"books": ["no-such-book"]})
    book = results["books"][0]["id"]
    c.call("feedback on a book of the scan", "POST", "/feedback", {"jobId": job, "bookId": book, "problem": "notABook"})
    c.call("feedback on an unknown book", "POST", "/feedback", {"jobId": job, "bookId": "no-such-book", "problem": "notABook"})
    c.call("feedback on an unknown scan", "POST", "/feedback", {"jobId": "nothing", "bookId": book, "problem": "notABook"})
    c.call("feedback with an unknown problem", "POST", "/feedback", {"jobId": job, "bookId": book, "problem": "ugly"})
    c.call("feedback on no spine", "POST", "/feedback", {"correct": False})
    c.call("feedback on a detection that is a book of a scan", "POST", "/feedback", {"detectionId": book, "correct": False})
    shelf = c.call("shelf of a scan", "POST", "/shelves", {"name": "Scanned"})["id"]
    c.call("inventory of a scan that was not added", "POST", f"/shelves/{shelf}/inventory", {"jobId": job})
    c.call("scans", "GET", "/scans?limit=50")
    c.call("inventory of an unknown scan", "POST", f"/shelves/{shelf}/inventory", {"jobId": "nothing"})
    return job


def review(c, job):
    items = c.call("review", "GET", "/review")["items"]
    c.call("counts", "GET", "/review/counts")
    first = items[0]
    path = f"/detections/{first['id']}"
    item = c.call("detection", "GET", path)
    c.call("feedback without an opinion", "POST", "/feedback", {"detectionId": first["id"]})
    c.call("the detection's photo", "GET", f"/photos/{item['photoId']}")
    c.call("feedback", "POST", "/feedback", {"detectionId": first["id"], "problem": "wrongTitle", "right": {"title": "By hand"}})
    c.call("verify with an old revision", "POST", f"{path}/verify", {}, match='"0"')
    c.call("correct without a revision", "POST", f"{path}/correct", {"title": "By hand"})
    done = c.call("correct", "POST", f"{path}/correct", {"title": "By hand", "authors": ["A Person"]}, match=item["etag"])
    c.call("undo", "POST", "/undo", {"undoToken": done["undoToken"]})
    c.call("undo again", "POST", "/undo", {"undoToken": done["undoToken"]})
    item = c.call("detection after undo", "GET", path)
    c.call("reject", "POST", f"{path}/reject", {}, match=item["etag"])
    c.call("detection after reject", "GET", path)
    rest = c.call("review after reject", "GET", "/review")["items"]
    c.call("verify", "POST", f"/detections/{rest[0]['id']}/verify", {}, match=rest[0]["etag"])
    discarded = c.call("reject all", "POST", "/review/reject-all", {"ids": [rest[1]["id"]]})
    c.call("undo of reject all", "POST", "/undo", {"undoToken": discarded["undoToken"]})
    for kind in ("detection", "duplicateQuestion", "missing", "failedEnrichment", "failedRow"):
        c.call(f"review of kind {kind}", "GET", f"/review?kind={kind}")
    c.call("review of an unknown kind", "GET", "/review?kind=nothing")
    c.call("rows dismissed that are not there", "POST", "/review/dismiss", {"ids": ["r999999"]})
    c.call("rows dismissed with another ID", "POST", "/review/dismiss", {"ids": ["7"]})
    c.call("search for records and covers", "GET", "/review/incomplete/find")
    c.call("search for records and covers stopped", "DELETE", "/review/incomplete/find")
    c.call("reject all of unknown books", "POST", "/review/reject-all", {"ids": ["999999"]})
    c.call("verify all", "POST", "/review/verify-all", {"ids": [r["id"] for r in rest[1:]]})


def books(c, job):
    shelf = c.call("new shelf", "POST", "/shelves", {"name": "Landing"})
    c.call("a shelf of that name", "POST", "/shelves", {"name": "Landing"})
    c.call("shelf without a name", "POST", "/shelves", {"name": ""})
    c.call("shelf", "GET", f"/shelves/{shelf['id']}")
    c.call("photos of a shelf", "GET", f"/shelves/{shelf['id']}/photos")
    c.call("spines of an empty shelf", "GET", f"/shelves/{shelf['id']}/spines")
    c.call("nothing found", "POST", f"/shelves/{shelf['id']}/found", {"ids": []})
    entries = c.call("library", "GET", "/library?limit=50")["items"]
    entry = c.call("entry", "GET", f"/library/{entries[0]['id']}")
    path = f"/library/{entry['id']}"
    c.call("edit without a revision", "PATCH", path, {"notes": "a"})
    c.call("edit with an old revision", "PATCH", path, {"notes": "a"}, match='"0"')
    c.call("edit", "PATCH", path, {"notes": "a", "rating": 4, "tags": ["x"]}, match=entry["etag"])
    c.call("edit out of range", "PATCH", path, {"rating": 9}, match=c.call("edited", "GET", path)["etag"])
    cover = c.call("cover", "PUT", f"{path}/cover", small_photo().read_bytes(), kind="image/jpeg")
    c.call("undo of a cover", "POST", "/undo", {"undoToken": cover["undoToken"]})
    c.call("cover again", "PUT", f"{path}/cover", small_photo().read_bytes(), kind="image/jpeg")
    c.call("cover that is not a picture", "PUT", f"{path}/cover", b"text", kind="image/jpeg")
    c.call("cover of another server", "PUT", f"{path}/cover", {"coverUrl": "https://example.org/a.jpg"})
    c.call("cover that no provider has", "PUT", f"{path}/cover", {"coverUrl": "/api/v1/covers/openlibrary-1"})
    c.call("no cover", "DELETE", f"{path}/cover")
    lent = c.call("loan", "PUT", f"{path}/loan", {"to": "Dorothea"})
    c.call("undo of a loan", "POST", "/undo", {"undoToken": lent["undoToken"]})
    found = c.call("found", "POST", f"/shelves/{shelf['id']}/found", {"ids": [entry["id"]]})
    c.call("undo of found", "POST", "/undo", {"undoToken": found["undoToken"]})
    c.call("found again", "POST", f"/shelves/{shelf['id']}/found", {"ids": [entry["id"]]})
    inventory = c.call("inventory after it was found", "POST", f"/shelves/{shelf['id']}/inventory", {"jobId": job})
    assert entry["id"] in [e["id"] for e in inventory["present"]]
    assert entry["id"] not in [e["id"] for e in inventory["missing"]]
    c.call("tags", "GET", "/tags")
    work = c.call("work", "GET", f"/works/{entry['workId']}")
    c.call("work without a revision", "PATCH", f"/works/{entry['workId']}", {"year": 2003})
    c.call("work of an old revision", "PATCH", f"/works/{entry['workId']}", {"year": 2003}, match='"0"')
    edition = {"publisher": "Penguin", "year": 2003, "pages": 474}
    edited = c.call("work edited", "PATCH", f"/works/{entry['workId']}?entry={entry['id']}", edition, match=work["etag"])
    c.call("undo of an edited work", "POST", "/undo", {"undoToken": edited["undoToken"]})
    work = c.call("work again", "GET", f"/works/{entry['workId']}")
    c.call("work edited again", "PATCH", f"/works/{entry['workId']}?entry={entry['id']}", edition, match=work["etag"])
    c.call("entry with an edition", "GET", path)
    c.call("picture of a cover", "GET", cover["coverUrl"].removeprefix("/api/v1"))
    c.call("earlier cover", "PUT", f"{path}/cover", {"coverUrl": cover["coverUrl"]})
    c.call("same cover", "PUT", f"{path}/cover", {"coverUrl": cover["coverUrl"]})
    c.call("books without a record or cover", "GET", "/review?kind=incomplete")
    c.call("version", "GET", "/changes")
    c.call("history", "GET", f"/works/{entry['workId']}/history")
    moved = c.call("bulk", "POST", "/library/bulk", {"ids": [entry["id"]], "shelf": shelf["id"], "addTags": ["y"]})
    c.call("undo of bulk", "POST", "/undo", {"undoToken": moved["undoToken"]})
    done = c.call("bulk delete", "POST", "/library/bulk", {"ids": [entry["id"]], "delete": True})
    c.call("undo of a bulk delete", "POST", "/undo", {"undoToken": done["undoToken"]})
    c.call("delete", "DELETE", path)
    c.call("delete again", "DELETE", path)
    c.call("stats", "GET", "/stats")
    c.call("search", "GET", "/search?q=emma")
    c.call("search for nothing", "GET", "/search?q=")


def lists(c):
    listing = c.call("list", "POST", "/imports", b"Title,Author\nDune,Frank Herbert\n,Frank Herbert\n", kind="text/csv")
    c.call("list started", "POST", f"/imports/{listing['id']}/start", {})
    deadline = time.monotonic() + 60
    while True:
        c.answers.pop("list done", None)
        done = c.call("list done", "GET", f"/imports/{listing['id']}")
        if done["status"] == "completed":
            break
        assert time.monotonic() < deadline
        time.sleep(0.1)
    c.call("undo of a list", "POST", "/undo", {"undoToken": done["undoToken"]})
    c.call("undo of a list again", "POST", "/undo", {"undoToken": done["undoToken"]})


def catalog(c):
    """Last, so that the scan above has no catalog."""
    c.call("no catalog", "GET", "/catalog")
    c.call("catalog to update", "POST", "/catalog/update", {})
    c.call("nothing to cancel", "DELETE", "/catalog/download")
    c.call("size in an unknown language", "GET", "/catalog/download/estimate?languages=english")
    c.call("download in an unknown language", "POST", "/catalog/download", {"languages": ["english"]})
    c.call("size", "GET", "/catalog/download/estimate?languages=eng,deu&isbn=false")
    c.call("download", "POST", "/catalog/download", {"languages": ["eng"], "isbn": False})
    until_downloaded(c, "catalog")
    c.call("size of the same", "GET", "/catalog/download/estimate?languages=eng")
    c.call("update", "POST", "/catalog/update", {})
    until_downloaded(c, "updated catalog")


def until_downloaded(c, name):
    deadline = time.monotonic() + 60
    while "download" in c.call(name, "GET", "/catalog"):
        c.answers.pop(name)
        assert time.monotonic() < deadline
        time.sleep(0.1)


def mistakes(c):
    for name, method, path, body in (
            ("book", "GET", "/library/999999", None), ("book to edit", "PATCH", "/library/999999", {"notes": "a"}),
            ("book to delete", "DELETE", "/library/999999", None), ("work", "GET", "/works/999999", None),
            ("history", "GET", "/works/999999/history", None), ("detection", "GET", "/detections/999999", None),
            ("detection to verify", "POST", "/detections/999999/verify", {}), ("photo", "GET", "/photos/999999", None),
            ("picture", "GET", "/photos/999999/image", None), ("shelf", "GET", "/shelves/999999", None),
            ("photos of a shelf", "GET", "/shelves/999999/photos", None), ("results", "GET", "/scans/nothing/results", None),
            ("events", "GET", "/scans/nothing/events", None), ("photo of a scan", "GET", "/scans/nothing/photos/1", None),
            ("scan to import", "POST", "/scans/nothing/import", {"books": []}), ("scan to finish", "POST", "/scans/nothing/finish", None),
            ("scan to cancel", "DELETE", "/scans/nothing", None), ("list", "POST", "/imports/nothing/start", {}),
            ("action to undo", "POST", "/undo", {"undoToken": "nothing"}), ("books to change", "POST", "/library/bulk", {"ids": ["999999"], "delete": True}),
            ("route", "GET", "/nothing", None)):
        c.call(f"no such {name}", method, path, body)
    c.call("scan without a photo", "POST", "/scans", b"--b--\r\n", kind="multipart/form-data; boundary=b")
    c.call("search without a query", "GET", "/search")


@pytest.mark.at_once
def test_the_stand_in_answers_as_documented(server):
    assert walk(Client(server.address)).violations == []


def test_every_route_of_the_stand_in_is_documented():
    import standin
    for pattern, verb, _ in standin.ROUTES:
        path = "/api/v1/" + pattern.replace(r"(\w+)", "1").replace(r"([\w-]+)", "1").replace(r"(\d+)", "1").replace(r"(\d)", "1")
        assert contract.operation(verb, path), f"{verb} {path}"


@pytest.mark.at_once
def test_the_stand_in_answers_as_the_server(server, empty_server):
    ours, theirs = Client(server.address), Client(empty_server.address)
    theirs.call("setup", "POST", "/setup", {"name": "Ada", "password": "correct horse battery", "role": "owner"})
    theirs.answers.pop("setup")
    walk(theirs)
    walk(ours)
    assert theirs.violations == []
    found = []
    for name, (status, media, value) in theirs.answers.items():
        mine = ours.answers.get(name)
        if mine is None or mine[:2] != (status, media):
            found.append(f"{name}: {mine and mine[:2]} instead of {(status, media)}; the server says {value}")
        else:
            code = [v.get("code") for v in (mine[2], value) if isinstance(v, dict)] if status >= 400 else []
            if len(set(code)) > 1:
                found.append(f"{name}: code {code[0]} instead of {code[1]}")
            found += [f"{name}{place}" for place in contract.differences(mine[2], value, free=FREE)]
    assert found == []
