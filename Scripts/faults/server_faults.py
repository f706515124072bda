#!/usr/bin/env python3
"""Interrupts a server in each step of a session: setup, sign-in, settings, keys of providers, members, tokens, apps, new
books, a merge, the import of a list, a change of all books, their undo, a scan of a shelf, an answer about its label and
the undo of that, the download of a catalog, a second factor, another password, revocations, the removal of a member. It is killed (SIGKILL) at chosen writes, and its writes and reads fail: ENOSPC until the
answer, EIO once. Then the data folder has to be in the state before or after the step (of a list: its first rows), a step that
was answered must not be lost and has its entries in the access log once the server has stopped, the server must not crash
at a failing disk, the repeated step has to leave what an undisturbed server leaves, and the clean-up no picture without a row.

usage: server_faults.py [--kills 1] [--disk 1] [--seed 1] [--step NAME]...

    --kills N      kills in each step: one in each Nth part of its writes
    --disk N       writes, twice, and reads that fail in each step
    --step NAME    only this step
"""
import argparse
import copy
import errno
import http.client
import json
import pathlib
import random
import shutil
import signal
import statistics
import tempfile
import threading
import time

import access_log
import access_steps
import dumps
import harness
import orphans
import session
from step import Refused

#: Failing writes after which a full disk has room again, for a step that waits for it. It is tried again each minute.
FULL = 3
DISK = (("write", errno.ENOSPC, 1), ("write", errno.EIO, 0), ("read", errno.EIO, 0))
#: What a client sees of a server that was killed.
CUT = (OSError, http.client.HTTPException, json.JSONDecodeError)


def answers(server):
    """Whether a server still answers; one that crashes may take a while to end."""
    try:
        server.request("GET", "/health")
        return True
    except CUT:
        return False


def others(state):
    """A state without the files of which an answer may say that they are not stored yet."""
    return {part: value for part, value in state.items() if part not in ("accounts.json", "apps.json")}


class Scenes:
    def __init__(self, work):
        self.work, self.dumps = pathlib.Path(work), dumps.Dumps()
        self.steps = session.record(work, self.server)
        self.problems, self.restarts = [], []
        #: The last server that was made.
        self.running = None

    def server(self, data, control=None):
        settings = {"clock": self.work / "clock", **({"control": control.file} if control else {})}
        faults = harness.interposed(self.work, data, **settings)
        self.running = harness.Server(data, environment={"SHELFLIST_DUMPS_URL": self.dumps.url, **faults})
        return self.running

    def begin(self, step):
        """Starts a server that did all steps before this one."""
        data = self.work / "data"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(step.folder, data)
        control = harness.Control(self.work)
        server, known = self.server(data, control), copy.deepcopy(step.known)
        server.start()
        access_steps.confirm(server, known)
        return server, control, known

    def attempt(self, fault, step, number, what, *details):
        """Runs `kill` or `fail`. A hang, a server that does not start, or a folder that cannot be read is a problem of this
        fault, and others are tried all the same.
        """
        try:
            fault(step, number, what, *details)
        except (Exception, SystemExit) as failure:
            self.note(step, number, what, f"not compared: {failure!r}", self.running)

    def kill(self, step, number, what):
        server, control, known = self.begin(step)
        control.arm(number, kills=1)
        is_answered = True
        try:
            step.send(server, known)
        except CUT:
            is_answered = False
        except Refused as refusal:
            return self.note(step, number, what, f"refused although nothing failed: {refusal}", server)
        if is_answered:
            # It made fewer writes than the undisturbed server: what was answered must be there all the same.
            server.kill()
        status = server.process.wait(harness.LONGEST)
        if status != -signal.SIGKILL:
            return self.note(step, number, what, f"ended with {status}", server)
        left = self.compare(step, number, what, server, is_answered)
        start = time.monotonic()
        server = self.server(server.data)
        server.start()
        self.restarts.append(time.monotonic() - start)
        self.settle(step, number, what, server, known, left, is_answered)

    def fail(self, step, number, what, kind, error, stays):
        server, control, known = self.begin(step)
        control.arm(number, reads=kind == "read", error=error, stays=stays)
        has_ended, until = threading.Event(), control["at"] + FULL

        def free():
            while not has_ended.wait(0.05):
                if control["writes"] >= until:
                    break
            control.disarm()

        waiting = threading.Thread(target=free, daemon=True)
        if stays and step.waits:
            waiting.start()
        is_answered = True
        try:
            step.send(server, known)
        except Refused:
            is_answered = False
        except CUT as cut:
            is_answered = False
            if not answers(server):
                status = server.process.wait(harness.LONGEST)
                return self.note(step, number, what, f"the server ended with {status}")
            # An answer that cannot be read to its end is one that did not come.
            print(f"    {step.name}, {what}: {cut!r}")
        finally:
            has_ended.set()
            control.disarm()
        left = self.compare(step, number, what, server, is_answered)
        self.settle(step, number, what, server, known, left, is_answered)

    def compare(self, step, number, what, server, is_answered):
        """Compares what a fault left, and returns it."""
        left = session.seen(server.data)
        if is_answered and server.has_unstored:
            # It said so. It is stored when the server stops, at the latest.
            if others(left) != others(step.after):
                self.note(step, number, what, f"answered, but lost: {session.differences(left, step.after)}")
        elif is_answered and left != step.after:
            self.note(step, number, what, f"answered, but lost: {session.differences(left, step.after)}")
        elif left not in (step.before, step.after) and not step.between(step.before, left, step.after):
            self.note(step, number, what, "neither before nor after: "
                      f"{session.differences(left, step.before)}; {session.differences(left, step.after)}")
        if problem := access_log.damage(server.data):
            self.note(step, number, what, problem)
        return left

    def settle(self, step, number, what, server, known, left, is_answered):
        """Repeats a step that was not made, and compares with the undisturbed server."""
        if left != step.after and not (is_answered and server.has_unstored):
            try:
                step.send(server, known)
                # A fault may have left a change without its entry, which the repetition completes in another way.
                is_answered = left == step.before
            except Refused as refusal:
                return self.note(step, number, what, f"the repetition was refused: {refusal}", server)
        if status := server.stop():
            return self.note(step, number, what, f"the server stopped with {status}")
        final = session.seen(server.data)
        if final != step.after:
            self.note(step, number, what, f"lost or doubled: {session.differences(final, step.after)}")
        if is_answered and (lost := access_log.lost(server.data, access_log.entries(step.folder), step.entries)):
            self.note(step, number, what, f"answered, but not in the access log: {lost}")
        status, text = harness.run("library", "check", "--data", server.data)
        if status:
            self.note(step, number, what, f"the library is not sound: {text.strip()}")
        elif left := orphans.after_clean_up(server.data):
            self.note(step, number, what, f"pictures without a row: {left}")

    def note(self, step, number, what, problem, server=None):
        found = f"{step.name}, {what}, {number} of {step.writes} writes and {step.reads} reads: {problem}"
        print(f"    {found}", flush=True)
        self.problems.append(found)
        if server and server.process.poll() is None:
            server.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--disk", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", action="append", choices=[step.name for step in session.steps()])
    options = parser.parse_args()
    chance = random.Random(options.seed)

    def numbers(count, total):
        return sorted({1 + int((part + chance.random()) * total / count) for part in range(min(count, total))})

    with tempfile.TemporaryDirectory() as work:
        scenes = Scenes(work)
        kills = faults = 0
        for step in scenes.steps:
            if options.step and step.name not in options.step:
                continue
            print(f"  {step.name}: {step.writes} writes, {step.reads} reads", flush=True)
            for number in numbers(options.kills, step.writes):
                scenes.attempt(scenes.kill, step, number, "killed")
                kills += 1
            for kind, error, stays in DISK:
                for number in numbers(options.disk, step.writes if kind == "write" else step.reads):
                    what = f"{errno.errorcode[error]} at a {kind}"
                    scenes.attempt(scenes.fail, step, number, what, kind, error, stays)
                    faults += 1
    restarts = scenes.restarts
    harness.conclude(
        f"{kills} kills and {faults} failing writes and reads in {len(options.step or scenes.steps)} steps of a server, "
        f"{len(scenes.problems)} problems"
        + (f"; restarts after a kill took {statistics.median(restarts):.1f} s, at most {max(restarts):.1f} s"
           if restarts else ""), scenes.problems)


if __name__ == "__main__":
    main()
