"""No test can hang: one that takes longer than ten minutes ends the whole run, by name, with every stack.

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

LIMIT = 600
EXIT_STATUS = 124  # that of timeout(1)
told = os.fdopen(os.dup(sys.stderr.fileno()), "w")  # not what pytest catches


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    timer = threading.Timer(LIMIT, end, [item.nodeid])
    timer.daemon = True
    timer.start()
    try:
        return (yield)
    finally:
        timer.cancel()


def end(name):
    told.write(f"\n\nTIMED OUT: {name} took longer than {LIMIT} s. The tests after it were not run.\n\n")
    told.flush()
    faulthandler.dump_traceback(told)
    for child in map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()):
        leads = os.getpgid(child) == child
        (os.killpg if leads else os.kill)(child, signal.SIGTERM)
    os._exit(EXIT_STATUS)
