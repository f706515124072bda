"""The operations that the fault tests interrupt: each with a folder before it, its command, and what must hold after."""
import pathlib
import shutil

import harness


class Scene:
    """One operation on a copy of a prepared data folder."""

    def __init__(self, name, before, words, state):
        self.name, self.before, self.words, self.state = name, before, words, state
        #: What `state` returns after a run that nothing disturbed, and how many writes that run made.
        self.new, self.writes = None, 0

    def copy(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.before, folder)
        return folder

    def command(self, data):
        return [str(data) if word == "DATA" else word.replace("DATA/", f"{data}/") for word in self.words]

    def settle(self, data):
        """Repeats the operation without a fault, and returns what is wrong then."""
        if (pathlib.Path(data) / "library.sqlite").exists() or (pathlib.Path(data) / "before-restore").exists():
            status, text = harness.run("library", "check", "--data", data)
            if status:
                return f"the library is not sound after the fault: {text.strip()}"
        status, text = harness.run(*self.command(data))
        if status:
            return f"the repetition ended with {status}: {text.strip()}"
        state = self.state(data)
        if state != self.new:
            return f"something is lost or doubled: {describe(state)} instead of {describe(self.new)}"
        return None


def describe(state):
    return {key: len(value) if hasattr(value, "__len__") else value for key, value in state.items()}


def filled(work, books=400):
    """Returns a data folder with the books of a list and of a photo."""
    lists = work / "list.csv"
    lists.write_text("title,author\n" + "".join(f"Book number {n},Author {n}\n" for n in range(books)))
    full = work / "full"
    harness.must("library", "import", lists, "--data", full)
    server = harness.Server(full)
    server.start()
    try:
        state = server.ended(server.upload(harness.PHOTO))
        assert state["books"] > 0, state
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
    scenes = [
        Scene("list import", empty, ["library", "import", str(lists), "--data", "DATA"], harness.contents),
        Scene("backup", full, ["backup", "DATA/again.tar", "--data", "DATA"], backed_up),
        Scene("restore", small, ["restore", str(backup), "--replace", "--data", "DATA"], harness.contents),
        Scene("catalog import", empty, ["catalog", "import", str(records), "--catalog", "DATA/catalog.sqlite"],
              harness.catalog),
        Scene("review", full, ["review", "verify", "--all", "--data", "DATA"], harness.contents),
        Scene("clean-up", reviewed, ["library", "clean-up", "--data", "DATA"], cleaned),
    ]
    for scene in scenes:
        data, count = scene.copy(work / "clean"), work / "count"
        harness.must(*scene.command(data), environment=harness.interposed(work, data, count=count))
        scene.new, scene.writes = scene.state(data), int(count.read_text())
        assert scene.writes > 0, f"{scene.name} writes nothing that disk_faults.c sees"
    return scenes


def backed_up(data):
    """What the backup holds."""
    other = pathlib.Path(f"{data}-restored")
    shutil.rmtree(other, ignore_errors=True)
    harness.must("restore", f"{data}/again.tar", "--data", other)
    return harness.contents(other)


def cleaned(data):
    """A clean-up names its pictures by chance, so they are counted."""
    state = harness.contents(data)
    return {**state, "files": len(state["files"])}
