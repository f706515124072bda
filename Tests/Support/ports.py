"""Ports that no other process of the tests has: each is held by a lock for as long as its object lives, so that a server
can be restarted on its port."""
import fcntl
import os
import random
import socket
import tempfile
import time
from pathlib import Path

# Below the ports that the kernel gives to connections (/proc/sys/net/ipv4/ip_local_port_range begins at 32768).
PORTS = range(20_000, 32_000)
LOCKS = Path(tempfile.gettempdir()) / f"shelflist-ports-{os.getuid()}"


class Port:
    """A port of this machine that is free; `number` is the port."""

    def __init__(self):
        LOCKS.mkdir(exist_ok=True)
        for number in random.sample(PORTS, len(PORTS)):
            self.lock = (LOCKS / str(number)).open("w")
            try:
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.lock.close()
                continue
            # Another program may use it.
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", number))
                except OSError:
                    self.lock.close()
                    continue
            self.number = number
            return
        raise RuntimeError(f"No port from {PORTS.start} to {PORTS.stop - 1} is free.")

    def close(self):
        self.lock.close()

    def wait_until_open(self, process):
        """Waits until a process listens on the port. There is no event to wait for."""
        while process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.number)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError(f"{process.args[0]} ended with {process.returncode}.")
