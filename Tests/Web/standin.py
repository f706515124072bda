#!/usr/bin/env python3
"""A small server that plays Shelflist's API for the tests of the web app; it reads no photo and is never shipped.

Its answers are drawn from the example's truth (Examples/shelf.json). Faults are ordered by POST /test/faults.
"""
import base64
import hashlib
import json
import random
import re
import struct
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "Web"
TRUTH = json.loads((ROOT / "Examples/shelf.json").read_text())
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webmanifest": "application/manifest+json"}
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
       "worker-src 'self'; manifest-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
STAGE = 0.05


class World:
    def __init__(self, books=0):
        self.lock = threading.Condition()
        self.jobs, self.keys, self.faults = {}, {}, {}
        self.shelves = [{"id": i + 1, "name": n} for i, n in enumerate(["Hall shelf", "Study, left", "Bedroom"])]
        self.entries, self.detections = {}, {}
        self.next = 1
        if books:
            rng = random.Random(7)
            people = "Italo Calvino,Eleanor Catton,Susanna Clarke,Joseph Conrad,George Eliot,R. F. Kuang,Hilary Mantel,Toni Morrison,Ursula K. Le Guin,Olga Tokarczuk,Mikhail Bulgakov,W. G. Sebald".split(",")
            words = "Cities,House,River,Winter,Glass,Garden,Night,Letters,Stone,Light,Island,Memory,Roads,Salt,Field".split(",")
            for i in range(books):
                self.add({"title": f"{rng.choice(['The', 'A', 'Invisible', 'Last', 'Quiet'])} {rng.choice(words)}{'' if i < 60 else f' {i}'}",
                          "authors": [rng.choice(people)], "year": rng.randint(1890, 2024), "shelf": rng.choice([1, 2, 3, None]),
                          "reading": rng.choice(["to-read", "reading", "read", None])})

    def add(self, fields):
        i = self.next
        self.next += 1
        self.entries[i] = {"id": i, "title": "", "authors": [], "isbn": None, "year": None, "cover": None, "ownership": "owned",
                           "reading": None, "rating": None, "shelf": None, "reviewStatus": "verified", "tags": [],
                           "addedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "revision": 1, **fields}
        return self.entries[i]

    def entry(self, e):
        name = next((s["name"] for s in self.shelves if s["id"] == e["shelf"]), None)
        return {**e, "shelfName": name}

    def job(self):
        j = {"id": uuid.uuid4().hex, "token": uuid.uuid4().hex, "events": [], "photos": [], "state": "queued", "started": False}
        self.jobs[j["id"]] = j
        return j

    def tell(self, job, kind, **data):
        with self.lock:
            job["events"].append({"id": len(job["events"]) + 1, "type": kind, "data": data})
            self.lock.notify_all()

    def read(self, job):
        time.sleep(STAGE)
        done = 0
        all_books = []
        while done < len(job["photos"]) and job["state"] != "canceled":
            n = done + 1
            self.tell(job, "progress", stage="analyzing", progress=0.2, message="Looking for spines", photo=n)
            books = books_of(job["id"], n)
            time.sleep(self.faults.get("slow", STAGE))
            self.tell(job, "segmented", totalBooks=len(books), photo=n)
            for i, book in enumerate(books):
                if job["state"] == "canceled":
                    return
                time.sleep(self.faults.get("slow", STAGE))
                self.tell(job, "book_progress", current=i + 1, total=len(books), stage="analyzing", photo=n)
                self.tell(job, "result", book=book, photo=n)
            all_books.append(books)
            done += 1
        job["results"] = all_books
        job["state"] = "completed"
        self.tell(job, "completed", resultsUrl=f"/api/v1/scans/{job['id']}/results", summary={})


def books_of(job, photo):
    out = []
    rng = random.Random(photo)
    for i, b in enumerate(TRUTH["books"]):
        x, y, w, h = b["box"]
        c = [0.97, 0.99, 0.95, 0.93, 0.88, 0.77, 0.98, 0.31, 0.86, 0.08, 0.91][i % 11]
        title = b["title"] if c > 0.2 else b["title"][:9] + "r"
        out.append({"id": f"{job[:6]}-{photo}-{i}", "title": title, "author": b["author"] if c > 0.2 else "", "isbn": b["isbn"],
                    "confidence": c, "reviewStatus": "verified" if c >= 0.6 else "needsReview",
                    "boundingBox": {"x": x, "y": y, "width": w, "height": h},
                    "quad": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]],
                    "text": [{"text": b["title"].upper(), "score": 0.99}, {"text": b["author"], "score": 0.9}],
                    "matches": [{"title": b["title"], "author": b["author"], "isbn": b["isbn"], "confidence": c, "source": "openlibrary"}]})
    rng.shuffle(out)
    return out


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World

    def log_message(self, *_):
        pass

    def answer(self, value=None, status=200, headers=(), kind="application/json"):
        body = b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status if value is not None or status != 200 else 204)
        if body:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("content-security-policy", CSP)
        self.send_header("cache-control", "no-cache")
        for k, v in headers:
            self.send_header(k, v)
        self.end_headers()
        self.wfile.write(body)

    def problem(self, status, code, detail, **more):
        self.answer({"type": f"about:blank#{code}", "title": code, "status": status, "detail": detail, "code": code,
                     "retryable": status in (429, 503), **more}, status, kind="application/problem+json")

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def do_GET(self):
        self.route("GET")

    def do_POST(self):
        self.route("POST")

    def do_PATCH(self):
        self.route("PATCH")

    def do_DELETE(self):
        self.route("DELETE")

    def route(self, method):
        url = urlsplit(self.path)
        path, query = unquote(url.path), {k: v[0] for k, v in parse_qs(url.query).items()}
        w = self.world
        if path == "/test/faults":
            w.faults = json.loads(self.body() or b"{}")
            return self.answer({})
        fault = w.faults.get(f"{method} {path}")
        if fault:
            self.body()
            fault["times"] = fault.get("times", 1) - 1
            if fault["times"] <= 0:
                w.faults.pop(f"{method} {path}")
            if fault.get("cut"):
                return self.connection.close()
            return self.problem(fault["status"], fault.get("code", "fault"), fault.get("detail", "As ordered."), retryAfterMs=fault.get("retryAfterMs", 0))
        if path == "/ws/progress":
            return self.socket(query) if not w.faults.get("noSocket") else self.problem(404, "none", "none")
        if not path.startswith("/api/v1/"):
            return self.static(path)
        parts = path[len("/api/v1/"):].split("/")
        for pattern, verb, work in ROUTES:
            match = re.fullmatch(pattern, "/".join(parts))
            if match and verb == method:
                return work(self, w, query, *match.groups())
        self.body()
        self.problem(404, "not_found", "There is nothing at this address.")

    def static(self, path):
        file = (WEB / path.lstrip("/")).resolve()
        if path in ("", "/"):
            file = WEB / "index.html"
        if not file.is_relative_to(WEB) or not file.is_file():
            return self.problem(404, "not_found", "There is nothing at this address.")
        self.answer(file.read_bytes(), kind=TYPES.get(file.suffix, "application/octet-stream"))

    def photos(self):
        raw = self.body()
        boundary = re.search(r"boundary=(.+)", self.headers["content-type"]).group(1).encode()
        for part in raw.split(b"--" + boundary):
            head, _, data = part.partition(b"\r\n\r\n")
            if b'filename="' in head:
                yield data[:-2]

    def events_after(self, job, last, until):
        w = self.world
        with w.lock:
            w.lock.wait_for(lambda: len(job["events"]) > last, timeout=max(0, until - time.time()))
            return job["events"][last:]

    def socket(self, query):
        job = self.world.jobs.get(query.get("jobId", ""))
        if not job:
            return self.problem(404, "not_found", "No such job.")
        key = self.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("upgrade", "websocket")
        self.send_header("connection", "Upgrade")
        self.send_header("sec-websocket-accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        first = self.headers.get("sec-websocket-protocol", "").split(",")[0].strip()
        if first:
            self.send_header("sec-websocket-protocol", first)
        self.end_headers()
        self.close_connection = True
        last, sent = int(query.get("after", 0)), 0
        try:
            while True:
                for event in self.events_after(job, last, time.time() + 20):
                    last = event["id"]
                    data = json.dumps(event).encode()
                    self.wfile.write(bytes([0x81]) + (bytes([len(data)]) if len(data) < 126 else bytes([126]) + struct.pack(">H", len(data))) + data)
                    self.wfile.flush()
                    sent += 1
                    if self.world.faults.get("cutSocketAfter") == sent:
                        self.world.faults.pop("cutSocketAfter")
                        return self.connection.close()
                    if event["type"] in ("completed", "canceled"):
                        return
        except OSError:
            return

    def sse(self, job):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        last = int(self.headers.get("last-event-id") or 0)
        try:
            while True:
                for e in self.events_after(job, last, time.time() + 20):
                    last = e["id"]
                    self.wfile.write(f"id: {e['id']}\nevent: {e['type']}\ndata: {json.dumps(e['data'])}\n\n".encode())
                    self.wfile.flush()
                    if e["type"] in ("completed", "canceled"):
                        return
        except OSError:
            return


def create_scan(h, w, _):
    key = h.headers.get("idempotency-key")
    photos = list(h.photos())
    if key in w.keys:
        job = w.keys[key]
    else:
        job = w.keys[key] = w.job()
        job["photos"] += photos
        w.tell(job, "progress", stage="uploading", progress=0.1, message="Photo received")
        threading.Thread(target=w.read, args=(job,), daemon=True).start()
    h.answer({"jobId": job["id"], "token": job["token"]}, 202)


def add_photo(h, w, _, job):
    w.jobs[job]["photos"] += list(h.photos())
    h.answer({"photo": len(w.jobs[job]["photos"])}, 202)


def results(h, w, _, job):
    j = w.jobs.get(job)
    if not j:
        return h.problem(404, "not_found", "No such job.")
    h.answer({"photos": [{"path": f"photo-{i + 1}.jpg", "width": 4000, "height": 3000, "quality": {"suggestions": []}, "books": b}
                         for i, b in enumerate(j.get("results", []))]})


def import_books(h, w, _, job):
    body = json.loads(h.body())
    ids = []
    for b in body["books"]:
        known = next((x for p in w.jobs[job].get("results", []) for x in p if x["id"] == b["id"]), {})
        status = "userEdited" if b.get("edited") else known.get("reviewStatus", "verified")
        e = w.add({"title": b["title"] or "?", "authors": [b["author"]] if b["author"] else [], "isbn": b.get("isbn"), "reviewStatus": status,
                   "confidence": known.get("confidence"), "detection": b["id"], "shelf": int(body["shelf"]) if body.get("shelf") else None})
        w.detections[b["id"]] = {"entry": e["id"], "book": known}
        ids.append(e["id"])
    h.answer({"entries": ids, "duplicates": []}, 201)


def undo_import(h, w, _, job):
    for i in json.loads(h.body()).get("entries") or []:
        w.entries.pop(i, None)
    h.answer()


def library(h, w, query):
    items = [w.entry(e) for e in w.entries.values()]
    start, limit = int(query.get("cursor", 0)), int(query.get("limit", 100))
    h.answer({"items": items[start:start + limit], "total": len(items), "next": str(start + limit) if start + limit < len(items) else None})


def one(h, w, _, i):
    e = w.entries.get(int(i))
    h.answer(w.entry(e), headers=[("etag", f'"{e["revision"]}"')]) if e else h.problem(404, "not_found", "This book is not in the library.")


def change(h, w, _, i):
    e = w.entries[int(i)]
    if h.headers.get("if-match") not in (None, f'"{e["revision"]}"'):
        h.body()
        return h.problem(409, "conflict", "Someone else changed this book.")
    e.update(json.loads(h.body()))
    e["revision"] += 1
    h.answer(w.entry(e), headers=[("etag", f'"{e["revision"]}"')])


def drop(h, w, _, i):
    h.body()
    w.entries.pop(int(i), None)
    h.answer()


def shelf_list(h, w, _):
    h.answer({"items": [{**s, "entries": sum(e["shelf"] == s["id"] for e in w.entries.values())} for s in w.shelves]})


def new_shelf(h, w, _):
    s = {"id": len(w.shelves) + 1, "name": json.loads(h.body())["name"]}
    w.shelves.append(s)
    h.answer(s, 201)


def search(h, w, query):
    q = query["q"].lower().split()
    found = [b for b in TRUTH["books"] if all(any(x in f.lower() for f in (b["title"], b["author"])) for x in q)]
    found = found or [b for b in TRUTH["books"] if any(x in b["author"].lower() or x in b["title"].lower() for x in q)]
    h.answer({"results": [{"title": b["title"], "author": b["author"], "isbn": b["isbn"], "year": 1950 + i, "publisher": "Example House", "confidence": 0.9,
                           "source": ["openlibrary", "googlebooks", "local"][i % 3]} for i, b in enumerate(found[:8])]})


def review(h, w, query):
    items = [w.entry(e) for e in w.entries.values() if e["reviewStatus"] == "needsReview"]
    h.answer({"items": items[:int(query.get("limit", 200))], "total": len(items)})


def cancel(h, w, _, job):
    h.body()
    j = w.jobs.get(job)
    if j and j["state"] not in ("completed", "canceled"):
        j["state"] = "canceled"
        w.tell(j, "canceled")
    h.answer()


ROUTES = [
    (r"scans", "POST", create_scan), (r"scans/(\w+)/photos", "POST", add_photo), (r"scans/(\w+)/results", "GET", results),
    (r"scans/(\w+)/events", "GET", lambda h, w, _, j: h.sse(w.jobs[j])),
    (r"scans/(\w+)/photos/(\d+)", "GET", lambda h, w, _, j, n: h.answer(w.jobs[j]["photos"][int(n) - 1], kind="image/jpeg")),
    (r"scans/(\w+)/import", "POST", import_books), (r"scans/(\w+)/import", "DELETE", undo_import),
    (r"scans/(\w+)", "GET", lambda h, w, q, j: h.answer({"events": w.jobs[j]["events"][int(q.get("after", 0)):], "state": w.jobs[j]["state"]})),
    (r"scans/(\w+)", "DELETE", cancel),
    (r"library", "GET", library), (r"library/(\d+)", "GET", one), (r"library/(\d+)", "PATCH", change), (r"library/(\d+)", "DELETE", drop),
    (r"shelves", "GET", shelf_list), (r"shelves", "POST", new_shelf),
    (r"search", "GET", search), (r"review", "GET", review),
    (r"feedback", "POST", lambda h, w, _: (h.body(), h.answer({}, 201))),
    (r"session", "GET", lambda h, w, _: h.answer({"user": {"name": "Test", "role": "owner"}})),
]


def serve(port=0, books=0):
    handler = type("Standin", (Handler,), {"world": World(books)})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    running = serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8321, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"http://127.0.0.1:{running.server_address[1]}", flush=True)
    threading.Event().wait()
