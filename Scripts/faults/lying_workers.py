"""Workers that lie to a real server: it lives on, and each photo fails or is read by another worker."""
import pathlib
import subprocess
import uuid

from harness import PHOTO, Server, until
from queue_processes import DRIVER, LEASE, STEP, WORKER, Process

#: What drive-queue lies about, and what becomes of the photo.
LIES = {"far": "failed", "huge": "failed", "seconds": "failed", "lines": "failed", "share": "completed"}


class Liar:
    """A client with the role of workers that calls the functions of the queue in any order."""

    def __init__(self, database, models):
        self.database, self.id = database, uuid.uuid4()
        self.call(f"register('{self.id}', 'liar', '1', 1, '{models}', 1, '{{}}')")

    def call(self, function):
        return self.database.query(f"SELECT * FROM shelflist_work.{function}", role=WORKER)

    def claim(self):
        """Claims the photo that waits, and returns its number and lease."""
        found = []

        def has_photo():
            found.extend(self.call(f"claim('{self.id}', '1 hour')"))
            return found

        until(has_photo, "no photo waits for the liar")
        return found[0][:2]

    def finish(self, photo, lease, message):
        """Returns whether the database accepts a failure with this message."""
        body = f"convert_to('{{\"message\": \"{message}\"}}', 'UTF8')"
        return self.call(f"finish('{self.id}', {photo}, {lease}, true, {body})") == [["t"]]

    def is_refused(self, statement):
        """Returns whether the database refuses a statement for lack of a right."""
        try:
            self.database.query(statement, role=WORKER)
        except subprocess.CalledProcessError as error:
            return "permission denied" in error.stderr
        return False


def worker(folder, database, models, name, *options):
    return Process(folder, name, [DRIVER, "work", "--url", database.worker_url, "--lease", LEASE, "--step", STEP,
                                  "--models", models, "--name", name, "--texts", *options])


def tell_lies(folder, database, models, read):
    """Returns false numbers for photos; `read` uploads one and returns its end."""
    for lie, expected in LIES.items():
        process = worker(folder, database, models, f"liar-{lie}", "--lie", lie)
        state = read(lie)
        assert state["status"] == expected, (lie, state)
        assert process.stop() == 0, process.log()


def return_megabytes(folder, database, models, upload, end):
    """The database refuses a result of megabytes, and another worker reads the photo."""
    liar = worker(folder, database, models, "liar-bytes", "--lie", "bytes")
    job = upload("bytes")
    until(lambda: "photo_result_check" in liar.log(), "the large result is not refused")
    assert liar.stop() == 0, liar.log()
    honest = worker(folder, database, models, "honest-1")
    state = end(job)
    assert state["status"] == "completed", state
    assert honest.stop() == 0, honest.log()


def answer_twice(database, models, upload, end):
    """The first answer counts."""
    liar, job = Liar(database, models), upload("twice")
    photo, lease = liar.claim()
    assert liar.finish(photo, lease, "first"), "the first answer is refused"
    assert not liar.finish(photo, lease, "second"), "a second answer is accepted"
    state = end(job)
    assert state["status"] == "failed" and "second" not in str(state), state


def answer_for_another(folder, database, models, upload, end):
    """A worker neither reads nor answers the photo of another, which then reads it."""
    owner, thief, job = Liar(database, models), Liar(database, models), upload("another")
    photo, lease = owner.claim()
    assert not thief.call(f"pieces('{thief.id}', {photo}, {lease})"), "a worker reads the photo of another"
    assert not thief.finish(photo, lease, "stolen"), "a worker answers for the photo of another"
    for statement in ("SELECT result FROM shelflist_work.photo", "SELECT bytes FROM shelflist_work.photo_piece",
                      "UPDATE shelflist_work.photo SET state = 'done'", "DELETE FROM shelflist_work.photo"):
        assert thief.is_refused(statement), f"a worker may run: {statement}"
    thief.call(f"leave('{thief.id}')")
    assert database.count(f"id = {photo} AND state = 'running'") == 1, "a worker returns the photo of another to the queue"
    owner.call(f"leave('{owner.id}')")
    honest = worker(folder, database, models, "honest-2")
    state = end(job)
    assert state["status"] == "completed", state
    assert honest.stop() == 0, honest.log()


def read_despite_lies(folder, database):
    """Runs all of them against one server, and returns their number."""
    folder = pathlib.Path(folder)
    server = Server(folder / "lies", environment={"SHELFLIST_WORK_QUEUE": database.url})
    server.start()
    # The waiting workers were of servers with this name.
    found = "FROM shelflist_work.owner WHERE name <> 'driven'"
    until(lambda: database.number(f"SELECT count(*) {found}") == 1, "the server does not register")
    models = database.query(f"SELECT models {found}")[0][0]

    def upload(name):
        return server.upload(PHOTO + name.encode(), {"Idempotency-Key": f"lie-{name}"})

    def end(job):
        state = server.ended(job)
        assert server.process.poll() is None, f"the server ended: {state}"
        return state

    tell_lies(folder, database, models, lambda name: end(upload(name)))
    return_megabytes(folder, database, models, upload, end)
    answer_twice(database, models, upload, end)
    answer_for_another(folder, database, models, upload, end)
    assert server.stop() == 0
    return len(LIES) + 3
