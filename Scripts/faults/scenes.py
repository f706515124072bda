"""The operations that the fault tests interrupt: each with a folder before it, its command, and what must hold after."""
import pathlib
import shutil

import harness
import libraries
import orphans

FIRST, LAST = "Book number", "by hand"


class Scene:
    """One operation on a copy of a prepared data folder."""

    def __init__(self, name, before, words, state, between=None, is_action=False, is_undo=False):
        """`state` returns what is compared. `between` returns whether a fault may leave a state that is neither that before
        nor that after the operation; without it, none may be left.

        `is_action` means that it can be undone, `is_undo` that it undoes; neither is repeated once it is done.
        """
        self.name, self.before, self.words, self.state, self.between = name, before, words, state, between
        self.is_action, self.is_undo = is_action, is_undo
        #: The state after an undisturbed run that was undone.
        self.undone = None
        #: The state before and after a run that nothing disturbed, and the writes and reads of that run.
        self.old = self.new = None
        self.writes = self.reads = 0
        self.repeated = None

    def copy(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.before, folder)
        return folder

    def run(self, data, environment={}):
        """Runs the operation. Returns its exit status (negative for a signal) and text."""
        words = [str(data) if word == "DATA" else word.replace("DATA/", f"{data}/") for word in self.words]
        # `scan` has no option for it.
        return harness.run(*words, environment={"SHELFLIST_DATA": str(data), **environment})

    def must(self, data, environment={}):
        status, text = self.run(data, environment)
        assert status == 0, f"{self.name} ended with {status}: {text}"

    def settle(self, data):
        """Compares what a fault left, repeats the operation without a fault, and returns what is wrong."""
        seen = pathlib.Path(f"{data}-seen")
        # A copy: opening it repairs what Shelflist has to repair by itself below.
        shutil.rmtree(seen, ignore_errors=True)
        shutil.copytree(data, seen)
        if problem := check(seen):
            return f"the library is not sound after the fault: {problem}"
        left = self.state(seen)
        if left not in (self.old, self.new) and not (self.between and self.between(left)):
            return (f"the state is neither that before nor that after: "
                    f"{libraries.differences(left, self.old)}; {libraries.differences(left, self.new)}")
        is_once = self.is_action or self.is_undo
        status, text = (0, "") if is_once and left == self.new else self.run(data)
        if status:
            return f"the repetition ended with {status}: {text.strip()}"
        state = self.state(data)
        # A fault after the last change leaves a command that is run twice.
        if state != self.new and (is_once or state != self.again(f"{data}-again")):
            return f"something is lost or doubled: {libraries.differences(state, self.new)}"
        if self.is_action and (undone := self.undo(data, seen)) != self.undone:
            return f"the undo leaves something: {libraries.differences(undone, self.undone)}"
        if left := orphans.after_clean_up(data):
            return f"pictures without a row: {left}"
        return None

    def undo(self, data, folder):
        """The state of a copy of a folder after an undo."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(data, folder)
        harness.must("review", "undo", "--data", folder)
        return self.state(folder)

    def again(self, folder):
        """The state after two runs that nothing disturbed."""
        if self.repeated is None:
            data = self.copy(folder)
            for _ in range(2):
                self.must(data)
            self.repeated = self.state(data)
        return self.repeated


def check(data):
    """What `library check` finds in a folder with a library, or in one whose restore was interrupted."""
    if not any((pathlib.Path(data) / name).exists() for name in ("library.sqlite", "before-restore")):
        return None
    status, text = harness.run("library", "check", "--data", data)
    return text.strip() if status else None


def titles(books):
    return [f"{FIRST} {number}" for number in range(books)]


def filled(work, books=400):
    """Returns a data folder with the books of a list and of a photo, and with everything that a library can hold."""
    lists = work / "list.csv"
    lists.write_text("title,author,shelf,tags,rating,status,notes\n" + "".join(
        f"{title},Author {number},Shelf {number % 7},tag{number % 5},{1 + number % 5},{('read', 'to-read')[number % 2]},"
        f"Note {number}\n" for number, title in enumerate(titles(books))))
    full = work / "full"
    harness.must("library", "import", lists, "--data", full)
    harness.must("library", "edit", "1", "--lent-to", "Bea", "--due", "2030-12-24", "--data", full)
    harness.must("library", "edit", "2", "--lent-to", "Bo", "--data", full)
    harness.must("library", "edit", "2", "--lent-to", "", "--data", full)
    harness.must("library", "add", "--title", f"A book {LAST}", "--author", "Ada", "--tag", "new", "--rating", "4",
                 "--reading", "reading", "--started", "2026-11", "--notes", "A note", "--data", full)
    harness.must("library", "add", "--title", f"A removed book {LAST}", "--data", full)
    harness.must("library", "remove", str(books + 2), "--data", full)
    server = harness.Server(full)
    server.start()
    try:
        state = server.ended(server.upload(harness.PHOTO))
        assert state["books"] > 0, state
        assert server.change_settings({"threshold": 0.7})[0] == 200
    finally:
        server.stop()
    return full


def all(work, books=400):
    """Prepares the scenes below the folder `work`.

    Each book is several writes.
    """
    work = pathlib.Path(work)
    full, lists = filled(work, books), work / "list.csv"
    records = work / "records.csv"
    records.write_text("title,author,isbn\n" + "".join(f"Record {n},Author {n % 50},\n" for n in range(books * 8)))
    empty = work / "empty"
    empty.mkdir()
    harness.must("library", "list", "--data", empty)
    backup = work / "backup.tar"
    harness.must("backup", backup, "--data", full)
    small = work / "small"
    shutil.copytree(empty, small)
    harness.must("library", "add", "--title", "An older book", "--data", small)
    reviewed = work / "reviewed"
    shutil.copytree(full, reviewed)
    harness.must("review", "verify", "--all", "--data", reviewed)
    listed = Scene("list import", empty, ["library", "import", str(lists), "--data", "DATA"], libraries.state)
    listed.between = lambda left: libraries.is_between(listed.old, left, listed.new, titles(books))
    catalog = Scene("catalog import", empty, ["catalog", "import", str(records), "--catalog", "DATA/catalog.sqlite"],
                    libraries.catalog, lambda left: libraries.has_all(left, catalog.new))
    scenes = [
        listed,
        Scene("backup", full, ["backup", "DATA/again.tar", "--data", "DATA"], backed_up),
        Scene("restore", small, ["restore", str(backup), "--replace", "--data", "DATA"], libraries.state),
        catalog,
        Scene("review", full, ["review", "verify", "--all", "--data", "DATA"], libraries.state),
        Scene("clean-up", reviewed, ["library", "clean-up", "--data", "DATA"], libraries.state),
        *actions(work, full, books),
    ]
    for scene in scenes:
        scene.old = scene.state(scene.copy(work / "clean"))
        data, control = scene.copy(work / "clean"), harness.Control(work)
        scene.must(data, harness.interposed(work, data, control=control.file))
        scene.new, scene.writes, scene.reads = scene.state(data), control["writes"], control["reads"]
        assert scene.writes > 0, f"{scene.name} writes nothing that disk_faults.c sees"
        assert scene.old != scene.new, f"{scene.name} changes nothing"
        if scene.is_action:
            scene.undone = scene.undo(data, work / "undone")
            left = libraries.contents(work / "undone"), libraries.contents(scene.before)
            assert left[0] == left[1], f"the undo of {scene.name} leaves: {libraries.differences(*left)}"
    return scenes


def actions(work, full, books):
    """The scenes of changes of many books: of those of a list, and of those of a photo of a shelf, about whose label it asks."""
    shelf, words = work / "shelf", ["--shelf", "Attic", "--offline"]
    shutil.copytree(full, shelf)
    harness.must("library", "shelves", "--add", "Attic", "--data", shelf)
    asked, answered = work / "asked", work / "answered"
    shutil.copytree(shelf, asked)
    harness.must("scan", harness.LABELLED, "--import", *words, environment={"SHELFLIST_DATA": str(asked)})
    answer = ["library", "signs", "--accept", "1", "--shelf", "Attic / Board 1"]
    shutil.copytree(asked, answered)
    harness.must(*answer, "--data", answered)
    return [
        Scene("bulk removal", full, ["library", "remove", *map(str, range(1, min(books, 120) + 1)), "--data", "DATA"], libraries.state,
              is_action=True),
        Scene("photo of a shelf", shelf, ["scan", str(harness.LABELLED), "--import", *words], libraries.state),
        Scene("answer about a label", asked, [*answer, "--data", "DATA"], libraries.state, is_action=True),
        Scene("undo", answered, ["review", "undo", "--data", "DATA"], libraries.state, is_undo=True),
    ]


def backed_up(data):
    """The library, and what the backup holds if there is one."""
    other, backup = pathlib.Path(f"{data}-restored"), pathlib.Path(data) / "again.tar"
    shutil.rmtree(other, ignore_errors=True)
    if backup.exists():
        harness.must("restore", backup, "--data", other)
    restored = {f"backup: {table}": rows for table, rows in libraries.state(other).items()}
    return libraries.state(data) | restored
