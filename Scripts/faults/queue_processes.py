"""The database and the processes of a work queue, for its fault tests."""
import ctypes
import os
import pathlib
import signal
import subprocess

from harness import LONGEST, PROGRAM, until
from postgres import Postgres

DRIVER = os.environ.get("SHELFLIST_DRIVER", str(pathlib.Path(PROGRAM).parent / "drive-queue"))
#: Seconds: of the leases of waiting workers, which only the test ends, and between two steps of everyone.
LEASE, STEP = 3600, 0.2
#: The role of workers, which may call the functions of the queue and nothing else.
WORKER = "worker"


class Process:
    """A process that can be killed, with its errors in a file. Its connections have its name in the database."""

    def __init__(self, folder, name, words, environment={}, output=subprocess.DEVNULL):
        self.name, self.words, self.output = name, list(map(str, words)), output
        self.errors = pathlib.Path(folder) / f"{name}.log"
        self.environment = {**os.environ, **environment, "PGAPPNAME": name}
        self.process = None
        self.start()

    def start(self):
        with open(self.errors, "ab") as errors:
            # Ends with this process, whatever happens to it.
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=self.output, stderr=errors, text=True, env=self.environment,
                preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL))

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(LONGEST)

    def log(self):
        return self.errors.read_text(errors="replace")


class Queue(Postgres):
    """The database of the work queue."""

    @property
    def worker_url(self):
        """Its address for workers."""
        return self.url.replace("shelflist@", f"{WORKER}@")

    def create_queue(self):
        """Creates the tables, and the role of workers."""
        self.query(f"CREATE ROLE {WORKER} LOGIN")
        subprocess.run([PROGRAM, "work-queue", "init", "--worker-role", WORKER, "--work-queue", self.url], check=True,
                       stdout=subprocess.DEVNULL)

    def running(self, worker=None):
        """A condition for the photos that a worker, or any worker, is reading."""
        owned = f" AND worker IN (SELECT id FROM shelflist_work.worker WHERE name = '{worker.name}')" if worker else ""
        return f"state = 'running'{owned}"

    def count(self, condition):
        return self.number(f"SELECT count(*) FROM shelflist_work.photo WHERE {condition}")

    def change(self, condition, change):
        self.query(f"UPDATE shelflist_work.photo SET {change} WHERE {condition}")

    def end_leases(self, worker):
        """Ends the leases of a worker, and returns once its photos are given away."""
        def has_none():
            # Again: a statement of the worker may have been on its way.
            self.change(self.running(worker), "lease_until = '-infinity'")
            return self.count(self.running(worker)) == 0

        until(has_none, f"the photos of {worker.name} are not given to others")

    def wait_for_end_of(self, process):
        """Waits until no connection of a process that was killed is left: its last statements may still be run."""
        until(lambda: self.number(
            f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{process.name}'") == 0,
            f"connections of {process.name} are left")

    def wait_for_running(self, worker=None):
        """Waits until a photo is being read."""
        until(lambda: self.count(self.running(worker)) > 0, "no photo is being read")
