"""What the fault tests share: a server that can be killed, runs of commands, and the settings of disk_faults.c and
clock_faults.c."""
import contextlib
import http.client
import json
import mmap
import os
import pathlib
import signal
import struct
import subprocess
import sys
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SHELFLIST_BINARY", str(ROOT / ".build/release/shelflist"))
# Compiling the models and indexing the starter list takes longer than most faults.
os.environ.setdefault("SHELFLIST_CACHE", str(ROOT / ".build/test-cache"))
#: Three spines of Examples/shelf.jpg, one of each tier, which are read in a fraction of the time:
#: ffmpeg -i Examples/shelf.jpg -vf crop=540:1310:2000:1690,scale=360:-2 -q:v 4 -map_metadata -1 -bitexact spines.jpg
PHOTO = pathlib.Path(__file__).with_name("spines.jpg").read_bytes()
#: The same above a label of a shelf, which no shelf has:
#: ffmpeg -i spines.jpg -vf "pad=iw:ih+70:0:0:color=0x5b4a3c,drawbox=x=60:y=ih-60:w=240:h=50:color=0xf7f6f2:t=fill,drawtext=\
#: fontfile=.deps/fonts/label.otf:text=SL-9C4JV:fontsize=36:fontcolor=0x16150f:x=(w-tw)/2:y=h-35-th/2" -q:v 4 \
#: -map_metadata -1 -bitexact labelled.jpg
LABELLED = pathlib.Path(__file__).with_name("labelled.jpg")
#: Seconds after which a command or an answer counts as hanging. Only hangs reach it.
LONGEST = 600
#: The exit status of a script that this machine cannot run.
NOT_TESTED = 77


def conclude(summary, problems):
    """Ends a script: prints what it did, and what is wrong."""
    print(summary, *problems, sep="\n", flush=True)
    sys.exit(1 if problems else 0)


def until(condition, what):
    """Waits until a condition of another process holds for which there is no event."""
    end = time.monotonic() + LONGEST
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"hangs: {what}")
        time.sleep(0.05)


def interposed(work, below=None, **settings):
    """Returns the environment of a process whose writes or clocks disk_faults.c and clock_faults.c interpose.

    `below` names the folder whose writes are meant, `settings` are those of the two without their prefix.
    """
    library = pathlib.Path(work) / "faults.so"
    if not library.exists():
        sources = [pathlib.Path(__file__).with_name(f"{name}_faults.c") for name in ("disk", "clock")]
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, *sources, "-ldl"], check=True)
    settings = {f"FAULT_{name.upper()}": str(value) for name, value in settings.items()}
    return {"LD_PRELOAD": str(library), **({"FAULT_BELOW": str(below)} if below else {}), **settings}


class Control:
    """The settings of disk_faults.c in a running process: `struct control` there."""
    FIELDS = ("writes", "reads", "at", "read_at", "error", "stays", "kills")

    def __init__(self, work):
        self.file = pathlib.Path(work) / "control"
        self.file.write_bytes(bytes(8 * len(self.FIELDS)))
        with open(self.file, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def __getitem__(self, field):
        return struct.unpack_from("q", self.memory, 8 * self.FIELDS.index(field))[0]

    def __setitem__(self, field, value):
        struct.pack_into("q", self.memory, 8 * self.FIELDS.index(field), value)

    def arm(self, number, reads=False, error=0, stays=0, kills=0):
        """Lets the `number`th write from now, or read, fail or end the process."""
        self["error"], self["stays"], self["kills"] = error, stays, kills
        self["read_at" if reads else "at"] = self["reads" if reads else "writes"] + number

    def disarm(self):
        self["at"] = self["read_at"] = 0


class Server:
    def __init__(self, data, *options, program=PROGRAM, environment={}):
        self.command = [program, "serve", "--port", "0", "--data", str(data), "--requests-per-minute", "100000",
                        "--jobs-per-client", "1000", *options]
        self.data = data
        self.environment = {**os.environ, **environment}
        self.port = None
        self.process = self.reader = None
        #: What it said since it accepted connections.
        self.lines = []
        #: Whether an answer said that a sign-in or a revocation is not stored yet.
        self.has_unstored = False

    def start(self, environment={}):
        """Returns once it accepts connections, or fails if it ends before."""
        if not self.try_start(environment):
            raise SystemExit(f"the server did not start: exit {self.process.wait()}")

    def try_start(self, environment={}):
        """Returns whether it accepts connections; otherwise it has ended."""
        self.process = subprocess.Popen(
            self.command, stderr=subprocess.PIPE, text=True, env={**self.environment, **environment})
        for line in self.process.stderr:
            if line.startswith("Shelflist is at"):
                self.port = int(line.rsplit(":", 1)[1])
                self.lines = []
                self.reader = threading.Thread(target=self.lines.extend, args=(self.process.stderr,), daemon=True)
                self.reader.start()
                return True
        self.process.wait()
        return False

    @contextlib.contextmanager
    def held_clock(self):
        """Holds the wall clock of an interposed server (`clock`), and yields its time in seconds since 1970."""
        clock = pathlib.Path(self.environment["FAULT_CLOCK"])
        now = int(time.time())
        new = clock.with_name("new-clock")
        new.write_text(f"{now}\n")
        new.rename(clock)
        try:
            yield now
        finally:
            clock.unlink()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(LONGEST)

    def has_said(self, text):
        """Whether it said a text until it ended, and until processes ended that it had started."""
        self.reader.join()
        return any(text in line for line in self.lines)

    def request(self, method, path, body=None, headers={}):
        status, _, answer = self.exchange(method, path, body, headers)
        return status, answer

    def exchange(self, method, path, body=None, headers={}, address="127.0.0.1"):
        """Sends a request from an address, with values as JSON. Returns status, headers and the answer's JSON."""
        if isinstance(body, (dict, list)):
            body, headers = json.dumps(body), {"Content-Type": "application/json", **headers}
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=LONGEST, source_address=(address, 0))
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            self.has_unstored |= "X-Not-Stored" in answer.headers
            return answer.status, answer.headers, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def change_settings(self, change, headers={}):
        """Changes settings, and returns status, headers and the answer."""
        found = self.exchange("GET", "/api/v1/settings", headers=headers)
        if found[0] != 200:
            return found
        return self.exchange("PATCH", "/api/v1/settings", change, {"If-Match": found[1]["etag"], **headers})

    def upload(self, photo, headers={}, **fields):
        """Sends a photo with fields of its form, and returns its job."""
        body, kind = form(photo, **fields)
        status, answer = self.request("POST", "/api/v1/scans", body, {"Content-Type": kind, **headers})
        assert status in (200, 202), (status, answer)
        return answer["jobId"]

    def ended(self, job, headers={}):
        """Follows the events of a job until it has ended, and returns its state."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.request(
                "GET", f"/api/v1/scans/{job}/events", headers={"Accept": "text/event-stream", **headers})
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            while answer.readline():
                pass
        finally:
            connection.close()
        status, state = self.request("GET", f"/api/v1/scans/{job}", headers=headers)
        assert status == 200 and state.get("finishedAt"), f"the events of a job ended before it: {status} {state}"
        return state

    def memory(self):
        """The resident memory of the server in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


def form(photo, **fields):
    boundary = uuid.uuid4().hex
    parts = [f"name=\"{name}\"\r\n\r\n{value}" for name, value in {"import": "true", **fields}.items()]
    head = "".join(f"--{boundary}\r\nContent-Disposition: form-data; {part}\r\n" for part in parts) + (
        f"--{boundary}\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n")
    return head.encode() + photo + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def run(*words, environment={}):
    """Runs a command. Returns its exit status (negative for a signal) and text."""
    words = [PROGRAM, *map(str, words)]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **environment}, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"hangs: {' '.join(words)}") from None
    return done.returncode, done.stdout


def must(*words, environment={}):
    status, text = run(*words, environment=environment)
    if status:
        raise SystemExit(f"exit {status}: shelflist {' '.join(map(str, words))}\n{text}")
    return text
