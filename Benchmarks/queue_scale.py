"""The measurements of the work queue: workers that wait instead of reading, then real ones."""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from measuring import PROGRAM, ROOT, BenchmarkError, Run, real_photos, say
from report import table, write

sys.path.append(str(ROOT / "Scripts/faults"))
from postgres import Postgres  # noqa: E402

REPORT = ROOT / "docs/scale.md"
CHART = ROOT / "docs/scale.svg"
DRIVER = PROGRAM.parent / "drive-queue"
#: The database as docs/scale.md recommends it.
SETTINGS = ("shared_buffers = 512MB",)
WORKERS = (1, 2, 4, 8, 16)
#: Seconds for which a waiting worker "reads" a photo, and photos for each worker.
READING, PHOTOS_EACH = 1.0, 20
SPEED_PHOTOS, HANDOVER_PHOTOS, VACUUM_PHOTOS = 2000, 300, 100_000


@contextlib.contextmanager
def database():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        postgres = Postgres(pathlib.Path(folder) / "postgres", settings=SETTINGS)
        try:
            Run([PROGRAM, "work-queue", "init", "--work-queue", postgres.url])
            yield postgres
        finally:
            postgres.stop("immediate")


@contextlib.contextmanager
def processes(commands):
    """Runs processes that are stopped at the end."""
    running = [subprocess.Popen([str(word) for word in command], stderr=subprocess.DEVNULL) for command in commands]
    try:
        yield
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(30)


def waiting(postgres, count, milliseconds, jobs=1):
    return processes([[DRIVER, "work", "--url", postgres.url, "--lease", 30, "--milliseconds", milliseconds, "--jobs",
                       jobs, "--name", f"worker-{number}"] for number in range(count)])


def offer(postgres, photos, kilobytes, at_once):
    """Returns the lines of the results, and the summary."""
    run = Run([DRIVER, "offer", "--url", postgres.url, "--lease", 30, "--photos", photos, "--kilobytes", kilobytes,
               "--at-once", at_once])
    lines = [json.loads(line) for line in run.output.splitlines()]
    return lines[:-1], lines[-1]


def wait_for_workers(postgres, count):
    """Measures no start of a process."""
    end = time.monotonic() + 60
    while postgres.number("SELECT count(*) FROM shelflist_work.worker") < count:
        if time.monotonic() > end:
            raise BenchmarkError("The workers did not start.", f"run '{DRIVER} work' by hand.")
        time.sleep(0.1)


def scaling():
    """Returns photos per second by number of workers."""
    rates = {}
    for count in WORKERS:
        say(f"{count} waiting workers")
        with database() as postgres, waiting(postgres, count, round(1000 * READING)):
            wait_for_workers(postgres, count)
            _, summary = offer(postgres, PHOTOS_EACH * count, 1000, 4 * count)
            rates[count] = summary["photosPerSecond"]
    return rates


def speed():
    say("The queue alone")
    with database() as postgres, waiting(postgres, 2, 0, jobs=4):
        wait_for_workers(postgres, 2)
        _, summary = offer(postgres, SPEED_PHOTOS, 1000, 32)
        lines, _ = offer(postgres, HANDOVER_PHOTOS, 1000, 1)
    return summary["photosPerSecond"], [[line[way] for line in lines] for way in ("there", "back")]


def vacuum():
    """Returns photos per second, and the size of the tables in megabytes and their dead rows while many photos pass."""
    say(f"{VACUUM_PHOTOS} photos, for vacuum")
    samples, done = [], threading.Event()

    def sample(postgres):
        while not done.wait(2):
            tables = {name: [float(cell) for cell in cells] for name, *cells in postgres.query(
                "SELECT relname, pg_table_size(relid) / 1e6, pg_indexes_size(relid) / 1e6, n_dead_tup "
                "FROM pg_stat_user_tables WHERE schemaname = 'shelflist_work'")}
            samples.append((postgres.number("SELECT count(*) FROM shelflist_work.history"), tables))

    with database() as postgres, waiting(postgres, 2, 0, jobs=4):
        wait_for_workers(postgres, 2)
        watcher = threading.Thread(target=sample, args=[postgres])
        watcher.start()
        try:
            _, summary = offer(postgres, VACUUM_PHOTOS, 10, 32)
        finally:
            done.set()
            watcher.join()
    return summary["photosPerSecond"], samples


def vacuum_rows(samples):
    """Returns the samples nearest to each fifth of the photos, and the largest of all, as rows of a table."""
    names = ("photo", "photo_piece", "report")

    def row(label, tables):
        return [label, *(f"{tables[name][0]:.1f} + {tables[name][1]:.1f}" for name in names),
                f"{sum(tables[name][2] for name in names):,.0f}"]

    fifths = [VACUUM_PHOTOS * part // 5 for part in range(1, 6)]
    chosen = [min(samples, key=lambda sample: abs(sample[0] - photos)) for photos in fifths]
    most = {name: [max(tables[name][cell] for _, tables in samples) for cell in range(3)] for name in names}
    return [*(row(f"{photos:,}", tables) for photos, tables in chosen), row("largest", most)]


def real():
    """Returns the seconds of two single-threaded workers, and of one process, for the same photos.

    Both without their start: the time of a run with the first two photos is subtracted.
    """
    say("Two real workers, and one process")
    with tempfile.TemporaryDirectory() as folder, database() as postgres:
        photos = different_photos(pathlib.Path(folder))
        data = ["env", f"SHELFLIST_DATA={folder}/data", PROGRAM, "scan", "--format", "json", "--offline"]

        def timed(*options):
            # Fills the caches of the models.
            Run([*data, *options, "--", *photos[:2]])
            start = Run([*data, *options, "--", *photos[:2]]).wall
            run = Run([*data, *options, "--", *photos])
            return run.wall - start, [[book["title"] for book in photo["books"]] for photo in run.photos]

        alone, books = timed("--jobs", 2)
        commands = [["taskset", "-c", core, "env", f"SHELFLIST_DATA={folder}/worker-{core}", PROGRAM, "worker",
                     "--work-queue", postgres.url, "--name", f"core-{core}"] for core in range(2)]
        with processes(commands):
            wait_for_workers(postgres, 2)
            seconds, same = timed("--work-queue", postgres.url, "--jobs", 8)
    return seconds, alone, same == books, len(photos) - 2


def different_photos(folder):
    """Returns the paths of each labelled photo, twice, with different bytes: the text of equal ones is read once only."""
    paths = []
    for photo in real_photos():
        for number in range(2):
            paths.append(folder / f"{photo.stem}-{number}.jpg")
            paths[-1].write_bytes(photo.read_bytes() + bytes([number]))
    return paths


def draw(rates):
    """Writes the chart: measured rates, and the ideal line."""
    width, height, left, bottom, top = 520, 300, 48, 40, 16
    most = max(WORKERS) / READING
    def x(workers): return left + (width - left - 16) * workers / max(WORKERS)
    def y(rate): return height - bottom - (height - bottom - top) * rate / most
    parts = [f'<line x1="{left}" y1="{y(0)}" x2="{width - 16}" y2="{y(0)}" stroke="#888"/>',
             f'<line x1="{left}" y1="{y(0)}" x2="{left}" y2="{top}" stroke="#888"/>',
             f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(max(WORKERS))}" y2="{y(most)}" stroke="#888" stroke-dasharray="4"/>',
             f'<polyline fill="none" stroke="#3465a4" stroke-width="2" points="'
             + " ".join(f"{x(count):.1f},{y(rate):.1f}" for count, rate in rates.items()) + '"/>']
    for count, rate in rates.items():
        parts.append(f'<circle cx="{x(count):.1f}" cy="{y(rate):.1f}" r="3.5" fill="#3465a4"/>')
        parts.append(f'<text x="{x(count):.1f}" y="{y(0) + 16}" text-anchor="middle">{count}</text>')
        parts.append(f'<text x="{left - 6}" y="{y(count / READING) + 4:.1f}" text-anchor="end">{count / READING:.0f}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">workers</text>')
    parts.append(f'<text x="{left + 8}" y="{top + 6}">photos a second; dashed: the ideal</text>')
    CHART.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                     f'font-family="sans-serif" font-size="12" fill="#555">\n' + "\n".join(parts) + "\n</svg>\n")


def measure_queue():
    if not DRIVER.exists():
        raise BenchmarkError(f"There is no {DRIVER}.", "build it: Scripts/build.sh drive-queue")
    rates = scaling()
    rate, (there, back) = speed()
    small, samples = vacuum()
    seconds, alone, same, photos = real()
    draw(rates)
    write("queue",
          f"Workers that wait {READING:.0f} s for each photo of 1 MB:",
          table(["workers", "photos a second", "of the ideal"],
                [[count, f"{rate:.2f}", f"{100 * rate * READING / count:.1f} %"] for count, rate in rates.items()]),
          "![Photos a second by number of workers](scale.svg)",
          table(["the queue alone, PostgreSQL, servers and workers on this machine", ""], [
              ["photos of 1 MB a second, two workers", f"{rate:.0f}"],
              ["photos of 10 kB a second, two workers", f"{small:.0f}"],
              ["from the server to a worker, 1 MB, median", f"{statistics.median(there):.1f} ms"],
              ["from a worker to the server, median", f"{statistics.median(back):.1f} ms"],
          ]),
          f"Size on disk while {VACUUM_PHOTOS:,} photos of 10 kB pass, in MB, tables + indexes:",
          table(["photos", "`photo`", "`photo_piece`", "`report`", "dead rows"], vacuum_rows(samples)),
          f"{photos} photos with two real workers of one thread, each on one core, and the command that "
          f"identifies the books, on the same cores: {seconds:.1f} s. In one process that reads two photos at once: "
          f"{alone:.1f} s, so that the workers reach {alone / seconds:.2f} of it. The books are {'the same' if same else '**not** the same'}.",
          report=REPORT)
