"""Shared by all measurements: the program, the photos, a clock and the score."""
import contextlib
import datetime
import fcntl
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import scoring

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / ".build/release/shelflist"
EXAMPLE = ROOT / "Examples/shelf.jpg"
BENCH = pathlib.Path(os.environ.get("SHELFLIST_SHARED") or ROOT.parent / "shared") / "bench"
ENVIRONMENT = ROOT / ".deps/benchmark/peer"


class BenchmarkError(Exception):
    """An error with a way to fix it."""

    def __init__(self, what, fix):
        super().__init__(f"{what}\n  Fix: {fix}")


class Run:
    """One finished process: `wall` seconds, `megabytes` of peak resident memory, what it printed."""

    def __init__(self, command):
        with quiet(), tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            start = time.perf_counter()
            process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            # Linux counts in kilobytes, macOS in bytes.
            self.megabytes = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3 / 1.024)
            output.seek(0)
            self.output = output.read().decode()
            errors.seek(0)
            self.errors = errors.read().decode()
        if process.returncode != 0:
            said = "\n".join(self.errors.strip().splitlines()[-3:])
            raise BenchmarkError(f"{' '.join(map(str, command[:6]))} … failed with {process.returncode}: {said}",
                                 "run that command by hand to see why.")

    @property
    def photos(self):
        return json.loads(self.output)["photos"]


def scan(photos, *options, jobs=1):
    """Reads photos with the built program; `jobs=None` uses the program's default."""
    number = ["--jobs", jobs] if jobs else []
    return Run([PROGRAM, "scan", "--format", "json", *number, *options, "--", *photos])


def scan_warm(photos, *options):
    """Reads the photos in a process that has read another one before."""
    return scan([EXAMPLE, *photos], *options).photos[1:]


def peer_environment():
    """Returns the python of a private environment with the pinned packages."""
    python = ENVIRONMENT / "bin/python"
    wanted = (ROOT / "Benchmarks/requirements.txt").read_text()
    stamp = ENVIRONMENT / "requirements.txt"
    if not (stamp.exists() and stamp.read_text() == wanted):
        say("Installing the peer (Benchmarks/requirements.txt) into .deps/benchmark, once")
        try:
            subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement",
                            ROOT / "Benchmarks/requirements.txt"], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise BenchmarkError(f"Could not create the peer's Python environment: {error}",
                                 "check the network, and that python3 has venv (Debian: apt-get install python3-venv); "
                                 f"then remove {ENVIRONMENT} and run this again.") from error
        stamp.write_text(wanted)
    return python


def real_photos():
    """The labelled photos, which are not part of the repository."""
    photos = sorted((BENCH / "photos").glob("*.jp*g"))
    if not photos:
        raise BenchmarkError(f"There are no labelled photos in {BENCH}.",
                             "put the folder 'shared' beside the checkout, or set SHELFLIST_SHARED to its path.")
    return photos


def photo_scores(photos, labels=BENCH / "labels"):
    """Returns the score of each photo in the output of a scan."""
    try:
        return scoring.scores(photos, labels)
    except ValueError as error:
        raise BenchmarkError(str(error), "write it as Benchmarks/README.md says.") from error


def score(photos):
    """Returns the figures of the photos in the output of a scan, by name."""
    return scoring.figures(photo_scores(photos))


@contextlib.contextmanager
def quiet():
    """Excludes other work on this machine that uses the same lock."""
    path = os.environ.get("SHELFLIST_BENCHMARK_LOCK")
    if not path:
        yield
        return
    with open(path, "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def machine():
    """One line: processor, cores, memory, system, date, version of the code."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        facts = dict(line.split("\t", 1) for line in open("/proc/cpuinfo") if "\t" in line)
        flags = facts["flags"].split()
        kinds = {"avx2": "AVX2", "avx512f": "AVX-512", "avx512_bf16": "bfloat16"}
        has = ", ".join(word for flag, word in kinds.items() if flag in flags)
        processor = f"{facts['model name'].lstrip(': ').strip()} ({has})"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release()["PRETTY_NAME"] if sys.platform == "linux" else platform.platform()
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    changed = subprocess.run(["git", "-C", ROOT, "status", "--porcelain", "--", "Sources", "Package.swift"],
                             capture_output=True, text=True).stdout
    return (f"{datetime.date.today():%-d %B %Y}, {processor}, {os.cpu_count()} cores, {memory:.0f} GB, {system}, "
            f"commit {commit.strip() or 'unknown'}{' with changes' if changed.strip() else ''}")


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)
