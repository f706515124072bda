"""Makes and keeps what the requests of the API check need: an access token, sessions, and one of every resource."""
import base64
import contextlib
import hashlib
import hmac
import itertools
import sqlite3
import struct
import subprocess
import time

import requests

PASSWORD = "correct horse battery"
# Sign-ins and checks of a password that one member may make in a minute (RateLimiter).
SIGN_INS = 10


class Known:
    """Resources by the name of the path parameter that identifies them.

    A resource is made when an operation first needs it, and again when an operation has used it up or deleted it.
    """

    # Where it can be seen whether a resource still exists.
    PLACES = {
        "jobId": "/scans/{}", "entryId": "/library/{}", "workId": "/works/{}", "shelfId": "/shelves/{}",
        "seriesId": "/series/{}",
        "photoId": "/photos/{}", "coverId": "/covers/{}", "detectionId": "/detections/{}", "importId": "/imports/{}",
        "stocktakeId": "/stocktakes/{}",
    }

    def __init__(self, address, setup_code, shelf, photo, labelled, library):
        self.api = f"{address}/api/v1"
        self.shelf = shelf
        self.photo = photo
        self.labelled = labelled
        self.library = library
        self.headers = {}
        self.numbers = itertools.count(1)
        self.ids = {}
        self.checked = set()
        owner = {"name": "Ada", "password": PASSWORD, "role": "owner", "code": setup_code}
        (cookie,) = self.ask("POST", "/setup", json=owner).cookies.items()
        # No operation can end the token: requests that name it or the owner get another (hooks.py).
        scopes = ["scan", "read", "write", "admin"]
        made = self.call("POST", "/tokens", json={"name": "check", "scopes": scopes}, cookies=dict([cookie]))
        self.token = made["secret"]
        self.headers = {"Authorization": f"Bearer {self.token}"}
        (owner,) = self.call("GET", "/members")["items"]
        self.own = {"tokenId": made["token"]["id"], "memberId": owner["id"]}
        self.member = Member(self)

    def ask(self, method, path, headers={}, **options):
        answer = requests.request(method, self.api + path, headers=self.headers | headers, timeout=60, **options)
        if not answer.ok and answer.status_code != 404:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer

    def call(self, method, path, **options):
        answer = self.ask(method, path, **options)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def id(self, name):
        """Returns the identifier of a resource that exists."""
        if name in self.ids and name in self.PLACES and name not in self.checked:
            if self.ask("GET", self.PLACES[name].format(self.ids[name])).status_code == 404:
                self.use_up(name)
        if name not in self.ids:
            self.ids[name] = getattr(self, f"make_{name}")()
        self.checked.add(name)
        return self.ids[name]

    def use_up(self, name):
        self.ids.pop(name, None)

    def note_change(self):
        """Checks each resource again before its next use, because a request may have deleted it."""
        self.checked.clear()

    def name(self, kind):
        return f"{kind} {next(self.numbers)}"

    def signed_in(self):
        """Returns a member of whom a session exists that may still confirm its password."""
        if not self.member.is_usable:
            self.member = Member(self)
        return self.member

    # MARK: Scans

    def scan(self, *photos, **fields):
        files = [("photo", ("a.jpg", photo)) for photo in photos]
        files += [(name, (None, value)) for name, value in fields.items()]
        return self.call("POST", "/scans", files=files)["jobId"]

    def ended(self, job):
        while not self.call("GET", f"/scans/{job}")["finishedAt"]:
            time.sleep(0.1)
        return job

    def make_jobId(self):
        """Reads the example, with a provider of records whose answers change books of the library."""
        self.use_provider(True)
        job = self.ended(self.scan(self.shelf, **{"import": "true"}))
        # Not until it has answered everything: it is asked once a second.
        while not self.list_first_look_ups() and self.call("GET", f"/scans/{job}")["asking"]:
            time.sleep(0.1)
        self.use_provider(False)
        return job

    def list_first_look_ups(self):
        """Lists the first look-ups of books among the automatic changes, as in a library of an earlier version. Returns whether
        there were any."""
        with contextlib.closing(sqlite3.connect(self.library)) as db, db:
            return db.execute("UPDATE reviewAction SET kind = 'identify' WHERE kind = 'lookUp'").rowcount > 0

    def make_bookId(self):
        return self.call("GET", f"/scans/{self.id('jobId')}/results")["books"][0]["id"]

    def make_frame(self):
        """Returns the example as the viewfinder sends it."""
        scale = ["ffmpeg", "-loglevel", "error", "-i", "-", "-vf", "scale=1200:-2", "-f", "mjpeg", "-"]
        return subprocess.run(scale, input=self.shelf, stdout=subprocess.PIPE, check=True).stdout

    def make_waitingJobId(self):
        return self.scan(self.photo, expected="5")

    def cancel(self, job):
        """Ends a job, because a member may have few at a time."""
        self.call("DELETE", f"/scans/{job}")

    def make_failedJobId(self):
        return self.ended(self.scan(self.photo[: len(self.photo) // 2]))

    # MARK: The library

    def make_entryId(self):
        new = {"title": self.name("Emma"), "authors": ["Jane Austen"], "duplicates": "addCopy"}
        return self.call("POST", "/library", json=new)["id"]

    def make_workId(self):
        return self.call("GET", f"/library/{self.id('entryId')}")["workId"]

    def make_seriesId(self):
        name = self.name("Earthsea of")
        new = {"title": self.name("Volume"), "correction": {"series": f"{name} ; 3"}, "duplicates": "addCopy"}
        self.call("POST", "/library", json=new)
        return self.call("GET", "/series?limit=500&q=" + name.replace(" ", "%20"))["items"][-1]["id"]

    def make_shelfId(self):
        return self.call("POST", "/shelves", json={"name": self.name("Hall")})["id"]

    def make_questionId(self):
        """Reads a photo with a code that no shelf has."""
        job = self.ended(self.scan(self.labelled, **{"import": "true"}))
        return self.call("GET", f"/label-questions?scan={job}")["items"][0]["id"]

    def seen_copy(self):
        """Returns a copy of the stocktake."""
        return self.call("GET", f"/stocktakes/{self.id('stocktakeId')}/copies")["items"][0]["entryId"]

    def first_copies(self):
        """Returns a cursor that leads to copies of the stocktake: those on no shelf of an open one, all of a closed one."""
        return "r0" if self.call("GET", f"/stocktakes/{self.id('stocktakeId')}").get("closedAt") else "s0-0"

    def make_stocktakeId(self):
        return self.call("POST", "/stocktakes", json={"copies": [self.id("entryId")]})["id"]

    def in_review(self):
        """Returns a spine in the queue. The provider may have identified all; undoing that brings one back."""
        self.id("jobId")
        if items := self.call("GET", "/review")["items"]:
            return items[0]
        self.list_first_look_ups()
        change = self.call("GET", "/review/automatic")["items"][0]["id"]
        self.call("POST", f"/review/automatic/{change}/undo")
        return self.call("GET", "/review")["items"][0]

    def make_detectionId(self):
        return self.in_review()["id"]

    def make_photoId(self):
        return self.in_review()["photoId"]

    def code(self):
        """Returns the code of a shelf."""
        return self.call("GET", f"/shelves/{self.id('shelfId')}")["code"]

    def make_coverId(self):
        path = f"/library/{self.id('entryId')}/cover"
        book = self.call("PUT", path, data=self.photo, headers={"Content-Type": "image/jpeg"})
        return book["coverUrl"].split("/")[-1]

    def make_importId(self):
        title = self.name("Dune")
        return self.call("POST", "/imports", data=f"title,author\n{title},Frank Herbert\n",
                         headers={"Content-Type": "text/csv"})["id"]

    def make_changeId(self):
        """Returns a change that was not undone, or any once all were."""
        self.id("jobId")
        self.list_first_look_ups()
        changes = self.call("GET", "/review/automatic")["items"]
        self.change = changes[0]["id"] if changes else self.change
        return self.change

    def make_catalog(self):
        for _ in range(100):
            catalog = self.call("GET", "/catalog")
            if catalog["searchable"]:
                return "catalog"
            # A request may have started or stopped a download.
            if catalog.get("download", {}).get("state") != "running":
                self.call("POST", "/catalog/download", json={})
            time.sleep(0.1)
        raise RuntimeError(f"There is no catalog: {catalog}")

    def use_provider(self, enabled):
        self.call("PATCH", "/settings", json={"providers": [{"id": "openlibrary", "enabled": enabled}]},
                  headers={"If-Match": "*"})

    def undo_token(self):
        return self.call("PUT", f"/library/{self.id('entryId')}/loan", json={"to": self.name("Bea")})["undoToken"]

    # MARK: Accounts

    def make_memberId(self):
        new = {"name": self.name("Member"), "password": PASSWORD, "role": "viewer"}
        return self.call("POST", "/members", json=new)["id"]

    def make_tokenId(self):
        return self.call("POST", "/tokens", json={"name": self.name("token"), "scopes": ["read"]})["token"]["id"]

    def make_appId(self):
        return self.call("POST", "/apps", json={"name": self.name("app")})["app"]["id"]


class Member:
    """A member with a session that operations may end, and a password and second factor that they may change."""

    def __init__(self, known):
        self.known = known
        self.name = known.name("Guest")
        self.is_signed_in = True
        self.checks = 0
        known.call("POST", "/members", json={"name": self.name, "password": PASSWORD, "role": "viewer"})
        answer = requests.post(f"{known.api}/session", json={"name": self.name, "password": PASSWORD}, timeout=60,
                               headers={"X-Forwarded-For": some_address(next(known.numbers))})
        answer.raise_for_status()
        (self.cookie,) = answer.cookies.values()

    @property
    def is_usable(self):
        return self.is_signed_in and self.checks < SIGN_INS

    def call(self, method, path):
        answer = requests.request(method, self.known.api + path, cookies={"shelflist_session": self.cookie}, timeout=60)
        answer.raise_for_status()
        return answer.json()

    def session_id(self):
        return self.call("GET", "/sessions")["items"][0]["id"]

    def second_factor(self):
        """Returns a secret and the code that an authenticator app shows for it now."""
        secret = self.call("POST", "/session/second-factor")["secret"]
        return {"secret": secret, "code": one_time_code(secret, time.time())}


def one_time_code(secret, now):
    """Returns the code of RFC 6238."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, struct.pack(">Q", int(now) // 30), hashlib.sha1)
    (number,) = struct.unpack(">I", digest[digest[-1] & 15:][:4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"


def some_address(number):
    """Returns an address of a client, of which each may sign in a few times a minute."""
    return f"198.18.{number // 250 % 250}.{number % 250 + 1}"
