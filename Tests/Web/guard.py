"""No test can hang: one that takes longer than its limit ends the whole run, by name, with every stack.

The run ends because what waits inside of the browser's driver cannot be woken without leaving the driver broken for
the tests after it. The limit is far above what a slow machine needs: it is a guard, not a measurement.
"""
import faulthandler
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

LIMIT = 120
EXIT_STATUS = 124  # that of timeout(1)
told = os.fdopen(os.dup(sys.stderr.fileno()), "w")  # not what pytest catches


def pytest_configure(config):
    config.addinivalue_line("markers", f"limit(seconds): how long a test may take before the run is ended; {LIMIT}, if it is not there")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    mark = item.get_closest_marker("limit")
    seconds = mark.args[0] if mark else LIMIT
    timer = threading.Timer(seconds, end, [item.nodeid, seconds])
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


def end(name, seconds):
    told.write(f"\n\nTIMED OUT: {name} took longer than {seconds} s. The tests after it were not run.\n\n")
    told.flush()
    faulthandler.dump_traceback(told)
    for child in map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()):
        leads = os.getpgid(child) == child
        (os.killpg if leads else os.kill)(child, signal.SIGTERM)
    os._exit(EXIT_STATUS)
