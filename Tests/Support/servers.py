"""The servers of the tests of the web app and of the older apps: the real program, and the same server with recorded photos
that fails on command (Tools/test-server)."""
import csv
import contextlib
import http.client
import json
import os
import re
import subprocess
import threading
from pathlib import Path

from ports import Port

ROOT = Path(__file__).resolve().parents[2]
# Refuses connections, so that no test asks a provider.
CLOSED = "http://127.0.0.1:1/"
NAME, PASSWORD = "Ada", "a shelf of one's own"


def built(name, variable):
    """Returns a built program; `variable` may name another one."""
    file = Path(os.environ.get(variable) or ROOT / ".build/release" / name)
    if not file.exists():
        raise FileNotFoundError(f"{file} is missing: build it first (Scripts/build.sh {name}).")
    return file


class Refused(Exception):
    """An answer with an error status."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body.decode(errors='replace')}")
        self.status, self.body = status, body

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """A server in a data folder. It keeps its port when it is restarted."""

    def __init__(self, folder, *options, cookie=None, binary=None):
        self.folder, self.options, self.cookie = Path(folder), options, cookie
        self.binary = binary or built("shelflist", "SHELFLIST_BINARY")
        self.reserved, self.process, self.code = Port(), None, None
        # What `restart` set, and what ends with the server.
        self.variables, self.helpers = {}, contextlib.ExitStack()
        self.port = self.reserved.number
        self.host = f"http://127.0.0.1:{self.port}"
        self.address = self.host
        self.start()

    def command_line(self):
        raise NotImplementedError

    def environment(self):
        # Photos are read as those in Tests/Recorded were, on each processor.
        return {"SHELFLIST_CACHE": str(ROOT / ".build/test-cache"), "SHELFLIST_PRECISION": "single",
                "SHELFLIST_DUMPS_URL": CLOSED, "SHELFLIST_OPENLIBRARY_URL": CLOSED, **os.environ, **self.variables}

    def run(self, *arguments):
        """Runs another command of the program, and returns its output."""
        return subprocess.run([self.binary, *map(str, arguments)], check=True, capture_output=True, env=self.environment()).stdout

    def start(self):
        self.code = None
        self.process = subprocess.Popen(
            [*map(str, self.command_line()), "--port", str(self.port), "--data", str(self.folder), *map(str, self.options)],
            env=self.environment(), text=True, **self.pipes())
        log = []
        for line in self.process.stdout:
            log.append(line)
            self.read(line)
            if "is at http://" in line:
                return
        raise RuntimeError("The server did not start: " + "".join(log))

    def read(self, line):
        """Reads the set-up code of a server without an owner."""
        found = re.search(r"set-up code (\S+)", line)
        self.code = found[1] if found else self.code

    def kill(self):
        self.process.kill()
        self.end()
        self.process = None

    def end(self):
        """Waits for the end of the process."""
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()

    def terminate(self):
        """Begins to stop it, as a service manager does."""
        self.process.terminate()

    def stop(self):
        """Stops it, and raises an error if it did not end as it should."""
        if not self.process:
            return
        self.process.terminate()
        self.end()
        status, self.process = self.process.returncode, None
        if status:
            raise RuntimeError(f"The server ended with status {status}; see {self.folder.parent}/server.log.")

    def close(self):
        """Stops it for good."""
        self.stop()
        self.helpers.close()
        self.reserved.close()

    def restart(self, **variables):
        """Restarts it with environment variables."""
        self.stop()
        self.variables.update(variables)
        self.start()

    def give_catalog(self, rows):
        """Imports records (title, author, ISBN) into the server's catalog, and restarts it."""
        records = self.folder.parent / "records.csv"
        with records.open("w", newline="") as file:
            csv.writer(file).writerows([("Title", "Author", "ISBN"), *rows])
        self.stop()
        self.run("catalog", "import", records, "--catalog", self.folder / "catalog.sqlite")
        self.start()

    # ---- the API, as the owner

    def send(self, method, path, body=None, kind="application/json", **headers):
        """Sends a request; returns status, headers and body. `If_Match=` is a header."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            fields.setdefault("Cookie", self.cookie)
        if data is not None:
            fields["Content-Type"] = kind
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, data, fields)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def call(self, method, path, body=None, **headers):
        """Calls an operation below /api/v1, and returns what it answers. Raises `Refused`."""
        status, _, content = self.send(method, f"/api/v1{path}", body, **headers)
        if status >= 400:
            raise Refused(status, content)
        return json.loads(content) if content else None

    def change_settings(self, **settings):
        return self.call("PATCH", "/settings", settings, If_Match='"%s"' % self.call("GET", "/settings")["etag"])

    def go_online(self):
        """Turns Open Library on: the server that `SHELFLIST_OPENLIBRARY_URL` names."""
        self.change_settings(providers=[{"id": "openlibrary", "enabled": True}])

    def add(self, **fields):
        """Adds a book, and returns it."""
        return self.call("POST", "/library", {"duplicates": "addCopy", **fields})

    def scan(self, photo, **fields):
        """Has a photo read, and returns the ID of the job once that is finished."""
        parts = [f'name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()]
        parts.append(b'name="photo"; filename="shelf.jpg"\r\nContent-Type: image/jpeg\r\n\r\n' + Path(photo).read_bytes())
        body = b"".join(b"--b\r\nContent-Disposition: form-data; " + part + b"\r\n" for part in parts) + b"--b--\r\n"
        status, _, content = self.send("POST", "/api/v1/scans", body, "multipart/form-data; boundary=b")
        if status >= 400:
            raise Refused(status, content)
        job = json.loads(content)["jobId"]
        self.wait(job)
        return job

    def wait(self, job):
        """Waits until a job has ended: then its stream of events ends."""
        self.send("GET", f"/api/v1/scans/{job}/events", Accept="text/event-stream")

    def books(self):
        return self.call("GET", "/library?limit=500")["items"]

    def set_up(self):
        """Creates the owner, keeps the cookie, and answers the question for a source."""
        owner = {"name": NAME, "password": PASSWORD, "role": "owner"}
        status, headers, content = self.send("POST", "/api/v1/setup", owner)
        if status >= 400:
            raise Refused(status, content)
        self.cookie = headers["set-cookie"].split(";")[0]
        self.change_settings(sourceChosen=True)


class RealServer(Server):
    """The program as it is installed, with the real reader."""
    is_real = True

    def command_line(self):
        return [self.binary, "serve", "--web-root", ROOT / "Web"]

    def pipes(self):
        return {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}

    def start(self):
        super().start()
        self.drain = threading.Thread(target=lambda: [self.read(line) for line in self.process.stdout], daemon=True)
        self.drain.start()

    def end(self):
        self.drain.join()
        super().end()


class TestServer(Server):
    """The complete server with recorded photos. It obeys commands, each of which has taken effect when it returns."""
    __test__ = False  # not a class of tests
    is_real = False

    def command_line(self):
        return [built("test-server", "SHELFLIST_TEST_SERVER"), "--web-root", ROOT / "Web", "--recorded", ROOT / "Tests/Recorded"]

    def pipes(self):
        self.log = open(self.folder.parent / "server.log", "ab")
        return {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.log, "bufsize": 1}

    def start(self):
        super().start()
        self.log.close()

    def command(self, name, **arguments):
        self.process.stdin.write(json.dumps({"command": name, **arguments}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def hold(self, point="text", share=0.0):
        """Holds every photo from now on: at `outlines`, before the spines are outlined, or at `text`, after that and with a
        share of the text read."""
        self.command("hold", point=point, share=share)

    def wait_until_held(self, photos=1):
        """Returns once so many photos are held."""
        self.command("waitUntilHeld", count=photos)

    def release(self, photos=None):
        """Releases so many held photos; without a number all, and holds no more."""
        self.command("release", count=photos)

    def fail(self, method, path, **how):
        """The next `times` requests (1) of a path get a problem (`status`, `code`, `detail`, `retryAfterMs`), or are cut
        (`cut=True`). `*` in the path stands for any characters."""
        self.command("fail", method=method, path=path, **how)

    def heal(self):
        """Removes all faults."""
        self.command("fail")
        self.command("socket")

    def cut_socket(self, after):
        """Cuts the next socket after so many events."""
        self.command("socket", cutAfter=after)

    def refuse(self, sockets=True, streams=False):
        """Refuses sockets and event streams."""
        self.command("socket", off=sockets, streamOff=streams)

    def stop_clock(self):
        """Stops the server's clock, and returns its time, in seconds since 1970."""
        return self.command("stopClock")["now"]

    def advance(self, seconds):
        """Moves the server's clock on."""
        self.command("advance", seconds=seconds)

    def stats(self):
        """Returns the numbers of `photos` and `frames` read, of photos `held`, and of `requests` by method and path."""
        return self.command("stats")
