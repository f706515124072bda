"""A change that an owner makes on a server, for tests that interrupt it."""


class Step:
    """A change, in the order of an owner's requests.

    `send` gets the server and a dictionary, in which it keeps what later steps need; it returns once the change is made,
    and raises `Refused` for an answer that is an error.
    """

    def __init__(self, name, send, between=lambda before, left, after: False, waits=False):
        """`between` returns whether a fault may leave a state that is neither that before nor that after the step.

        `waits` means that it is not refused on a full disk, but waits for room.
        """
        self.name, self.send, self.between, self.waits = name, send, between, waits
        #: The data folder and the dictionary before the step, the states before and after it, and the entries of the access
        #: log that it adds.
        self.folder = self.known = self.before = self.after = self.entries = None
        #: The writes and reads of the step when nothing disturbs it.
        self.writes = self.reads = 0


class Refused(Exception):
    """The server answered that a change was not made."""


def answered(answer, *wanted):
    status, headers, value = answer
    if status not in wanted:
        raise Refused(f"{status} {value}")
    return headers, value


def request(known, server, method, path, body=None, wanted=200):
    return answered(server.exchange(method, f"/api/v1/{path}", body, {"Cookie": known["cookie"]}), wanted)[1]


def posting(path, body, wanted=201):
    return lambda server, known: request(known, server, "POST", path, body, wanted)


def setting(change):
    def send(server, known):
        answered(server.change_settings(change, {"Cookie": known["cookie"]}), 200)

    return send
