#!/usr/bin/env python3
"""Sets the wall clock of a running server, years ahead and back, while a person is signed in and a photo is read; then
checks that the session, the scan and the photo are still there, that a code of an authenticator app is valid once, and that
an OpenID provider signs a person in. Starts the server with a wrong clock, which is corrected, and with clocks of several
days, which rotate its backups. Lets hours pass for a server whose clock was set: its clean-up deletes nothing for a day.

usage: clock_jumps.py
"""
import argparse
import datetime
import http.client
import json
import pathlib
import tempfile
import urllib.parse
import uuid

from access_steps import code
from harness import LONGEST, PHOTO, Server, conclude, interposed, until
from openid import Provider

#: In the past, because the machine still dates files by its own clock: they must not look older than they are, or the
#: clean-up takes those of a running backup for left over.
START = datetime.datetime(2020, 3, 1, 12, tzinfo=datetime.timezone.utc)
DAYS = datetime.timedelta(days=1)
HOUR = datetime.timedelta(hours=1)
#: Each code is valid for half of it.
MINUTE = datetime.timedelta(minutes=1)
#: Looks for something to come, 20 a second, until more time passes: timers of the server end each 20 s.
LOOKS = 500
JUMPS = [0 * DAYS, 3650 * DAYS, -3650 * DAYS, HOUR, -HOUR, 0 * DAYS]


def sign_up(server):
    """Creates the owner and returns the header of the session."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    owner = {"name": "Ada", "password": "correct horse", "role": "owner"}
    connection.request("POST", "/api/v1/setup", json.dumps(owner), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()
    return {"Cookie": answer.getheader("set-cookie").split(";")[0]}


def turn_on_codes(server, cookie, moment):
    """Turns on the second factor of the owner and returns its secret."""
    headers = {"Content-Type": "application/json", **cookie}
    status, new = server.request("POST", "/api/v1/session/second-factor", "{}", headers)
    assert status == 200, new
    proof = json.dumps({"secret": new["secret"], "code": code(new["secret"], moment.timestamp())})
    status, answer = server.request("PUT", "/api/v1/session/second-factor", proof, headers)
    assert status == 200, answer
    return new["secret"]


def sign_in(server, secret, moment):
    """Signs in with the code of a moment and returns the status."""
    credentials = {"name": "Ada", "password": "correct horse", "code": code(secret, moment.timestamp())}
    return server.request(
        "POST", "/api/v1/session", json.dumps(credentials), {"Content-Type": "application/json"})[0]


def sign_in_elsewhere(server, provider, moment, address):
    """Signs in with the provider as a browser with an address does, which has ten attempts a minute.

    Returns the screen of the app on which it ends.
    """
    provider.seconds = int(moment.timestamp())
    _, headers, _ = server.exchange("GET", "/api/v1/session/openid", address=address)
    wanted = urllib.parse.parse_qs(urllib.parse.urlsplit(headers["location"]).query)
    query = urllib.parse.urlencode({"state": wanted["state"][0], "code": wanted["nonce"][0]})
    cookie = {"Cookie": headers["set-cookie"].split(";")[0]}
    return server.exchange(
        "GET", f"/api/v1/session/openid/callback?{query}", headers=cookie, address=address)[1]["location"]


def clean_up(work, environment, set_ahead, problems):
    """Lets hours pass for a server whose clock was set ahead, by which all pictures are old, and then a day."""
    folder, photos = work / "hourly", work / "cleaned/photos"
    folder.mkdir()
    set_ahead(0 * DAYS, 0 * HOUR)
    server = Server(work / "cleaned", "--backup-folder", str(folder), environment=environment)
    server.start()
    backups = lambda: len(list(folder.glob("*.tar")))
    until(lambda: backups() == 1, "the backup of a start")
    orphan = photos / f"bookshelf_scan_{uuid.uuid4()}.jpg"
    orphan.write_bytes(PHOTO)
    passed, looks = 0 * HOUR, 0

    def comes(time, condition):
        """Lets time pass, and again now and then: the server may have begun to wait for the next hour only now."""
        nonlocal passed, looks
        if looks % LOOKS == 0:
            passed += time
            set_ahead(3650 * DAYS, passed)
        looks += 1
        return condition()

    # They are written hourly as well, and take longer than to find that the clock was set.
    until(lambda: comes(HOUR, lambda: backups() > 1), "the backup of an hour later")
    if not orphan.exists() and passed < DAYS:
        problems.append("the clean-up deleted a picture early, after the clock was set ahead")
    looks = 0
    until(lambda: comes(DAYS + HOUR, lambda: not orphan.exists()), "the clean-up of a day later")
    assert server.stop() == 0, "the server did not stop cleanly"


def rotate(work, environment, set_clock, problems):
    """Starts a server on several days, one of them in the future, and checks which backups are kept."""
    folder = work / "backups"
    folder.mkdir()
    server = Server(work / "data", "--backup-folder", str(folder), "--backups-kept", "2", environment=environment)
    name = lambda moment: f"shelflist-{moment:%Y-%m-%d}.tar"
    for day in (1, 1500, 2, 3):
        moment = START + day * DAYS
        set_clock(moment)
        server.start()
        until(lambda: (folder / name(moment)).exists(), "the backup of a day")
        assert server.stop() == 0, "the server did not stop cleanly"
    left = sorted(file.name for file in folder.iterdir())
    if left != [name(START + 2 * DAYS), name(START + 3 * DAYS)]:
        problems.append(f"other backups were kept than the latest: {left}")


def main():
    argparse.ArgumentParser().parse_args()
    problems, jobs = [], []
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        clock = work / "clock"

        def write_clock(text):
            # The server never reads half a number.
            (work / "new").write_text(text)
            (work / "new").rename(clock)

        def set_clock(moment):
            write_clock(f"{int(moment.timestamp())}\n")

        def set_ahead(time, passed):
            write_clock(f"+{int(time.total_seconds())} {int(passed.total_seconds())}\n")

        set_clock(START)
        environment = interposed(work, clock=clock)
        provider = Provider(work)
        server = Server(work / "data", *provider.options, environment=environment)
        server.start()
        cookie = sign_up(server)
        secret = turn_on_codes(server, cookie, START)
        for number, jump in enumerate(JUMPS, start=1):
            jobs.append(server.upload(PHOTO + str(number).encode(), cookie))
            moment = START + jump + number * MINUTE
            set_clock(moment)
            server.ended(jobs[-1], cookie)
            # A book that is added now shows that the clock was really set.
            status, book = server.request("POST", "/api/v1/library", json.dumps({"title": f"Book {number}"}),
                                          {"Content-Type": "application/json", **cookie})
            added = datetime.datetime.fromisoformat(book["addedAt"])
            if added != moment:
                problems.append(f"the server's clock did not follow a jump of {jump}: {added}")
            for job in jobs:
                status, state = server.request("GET", f"/api/v1/scans/{job}", headers=cookie)
                if status != 200 or state.get("status") != "completed":
                    problems.append(f"a scan is gone or not completed after a jump of {jump}: {status} {state}")
            if (status := sign_in(server, secret, moment)) != 200:
                problems.append(f"a code is refused after a jump of {jump}: {status}")
            screen = sign_in_elsewhere(server, provider, moment, f"127.0.0.{1 + number}")
            if screen != "/#/library":
                problems.append(f"the sign-in with the provider fails after a jump of {jump}: {screen}")
        earlier = START + JUMPS[1] + 2 * MINUTE
        set_clock(earlier)
        if (status := sign_in(server, secret, earlier)) != 401:
            problems.append(f"a code was accepted twice, after the clock was set back to it: {status}")
        assert server.stop() == 0, "the server did not stop cleanly"

        # As a machine without a battery-backed clock that has no time from the network yet.
        now = START + 10 * MINUTE
        set_clock(now - HOUR)
        server.start()
        set_clock(now)
        if (status := sign_in(server, secret, now)) != 200:
            problems.append(f"a code is refused after the clock of the start was corrected: {status}")
        status, _ = server.request("GET", "/api/v1/library", headers=cookie)
        if status != 200:
            problems.append(f"the session has ended after the clock of the start was corrected: {status}")
        assert server.stop() == 0, "the server did not stop cleanly"
        rotate(work, environment, set_clock, problems)
        clean_up(work, environment, set_ahead, problems)
    conclude(f"{len(JUMPS)} jumps of the clock by up to 10 years, 6 starts with other clocks, {len(problems)} problems",
             problems)


if __name__ == "__main__":
    main()
