"""Installs the Debian package in a minimal Debian without Swift, and uses, upgrades, removes and purges it.

usage: test_deb.py PREVIOUS PACKAGE

PREVIOUS is a package with a lower version. Nothing can start services there, as in any chroot: the test runs what the
installed unit says.
"""
import http.cookiejar
import json
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import debian_root

PHOTO = debian_root.ROOT / "Examples/shelf.jpg"
RUNNING = []


def expect(condition, message):
    if not condition:
        raise SystemExit(f"package test: {message}.")


def step(text):
    print(f"  {text}", flush=True)


class Service:
    """The server, started as the installed unit says: its command, user and settings."""

    def __init__(self, system):
        unit = (system.folder / "usr/lib/systemd/system/shelflist.service").read_text(encoding="utf-8")
        self.fields = dict(re.findall(r"^(\w+)=(.*)$", unit, re.M))
        settings = system.folder / self.fields["EnvironmentFile"].lstrip("-/")
        environment = dict(re.findall(r"^(SHELFLIST_\w+)=(.*)$", settings.read_text(encoding="utf-8"), re.M))
        command = shlex.split(self.fields["ExecStart"].replace("%S", "/var/lib"))
        expect(self.fields["StateDirectory"] == "shelflist", "the unit's StateDirectory is not shelflist")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.process = subprocess.Popen(
            system.command(*command, user=self.fields["User"],
                           environment=environment | {"HOME": "/nonexistent", "SHELFLIST_PORT": str(self.port)}),
            stdout=self.log, stderr=self.log)
        RUNNING.append(self.process)
        cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))

    def text(self):
        return pathlib.Path(self.log.name).read_text(encoding="utf-8")

    def call(self, method, path, body=None, kind="application/json", api="/api/v1"):
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{api}{path}", data, {"Content-Type": kind},
                                         method=method)
        with self.opener.open(request, timeout=60) as answer:
            content = answer.read()
            return json.loads(content) if "json" in answer.headers["Content-Type"] else content

    def wait(self):
        for _ in range(600):
            expect(self.process.poll() is None, f"the server ended:\n{self.text()}")
            try:
                return self.call("GET", "/health", api="")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise SystemExit(f"package test: the server did not answer within a minute:\n{self.text()}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        expect(self.process.wait(30) == 0, f"the server ended with {self.process.returncode}:\n{self.text()}")


def scan(service):
    form = (b"--b\r\nContent-Disposition: form-data; name=\"import\"\r\n\r\ntrue\r\n"
            b"--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n"
            + PHOTO.read_bytes() + b"\r\n--b--\r\n")
    job = service.call("POST", "/scans", form, "multipart/form-data; boundary=b")["jobId"]
    for _ in range(1200):
        if service.call("GET", f"/scans/{job}")["finishedAt"]:
            return service.call("GET", f"/scans/{job}/results")["books"]
        time.sleep(0.1)
    raise SystemExit(f"package test: the photo was not read within two minutes:\n{service.text()}")


def library(service):
    """Returns what an upgrade has to keep: books with their photos, and who signed in."""
    books = [service.call("GET", f"/library/{item['id']}") for item in service.call("GET", "/library?limit=100")["items"]]
    return sorted(books, key=lambda book: book["id"])


def data_files(system):
    folder = system.folder / "var/lib/shelflist"
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if "photos" in path.parts and path.is_file())


def check_documents(system):
    for path in ["share/man/man1/shelflist.1.gz", "share/man/man1/shelflist-scan.1.gz",
                 "share/bash-completion/completions/shelflist", "share/zsh/vendor-completions/_shelflist",
                 "share/fish/vendor_completions.d/shelflist.fish", "share/doc/shelflist/copyright",
                 "share/shelflist/licenses/openvino/LICENSE", "share/shelflist/sbom.spdx.json"]:
        expect((system.folder / "usr" / path).stat().st_size > 0, f"{path} is empty")
    expect("libswift" not in system.run("ldd", "/usr/bin/shelflist").stdout, "the program needs a Swift runtime")


def main():
    previous, package = map(pathlib.Path, sys.argv[1:])
    reason = debian_root.reason_to_skip()
    if reason:
        print(f"==> NOT tested: the Debian package, because {reason}")
        return
    with tempfile.TemporaryDirectory(prefix="shelflist-debian-") as folder:
        system = debian_root.System(folder)
        try:
            use(system, previous, package)
        finally:
            for process in RUNNING:
                process.kill()
                process.wait()
            system.close()


def use(system, previous, package):
    step(f"install {previous.name} with its dependencies")
    system.install(previous)
    check_documents(system)
    system.run("shelflist", "doctor")

    step("read the example photo as an ordinary user")
    (system.folder / "tmp/shelf.jpg").write_bytes(PHOTO.read_bytes())
    books = json.loads(system.run("shelflist", "scan", "--format", "json", "/tmp/shelf.jpg", user="daemon",
                                  environment={"HOME": "/tmp"}).stdout)["photos"][0]["books"]
    expect(len(books) > 5, f"only {len(books)} books were read")

    step("start the service and scan through the API")
    service = Service(system)
    service.wait()
    owner = {"name": "Ada", "password": "correct horse"}
    service.call("POST", "/setup", owner | {"role": "owner"})
    expect(b"<html" in service.call("GET", "/", api=""), "the web app is not served")
    found = scan(service)
    expect(len(found) == len(books), f"the service found {len(found)} books, the command {len(books)}")
    before, photos = library(service), data_files(system)
    expect(len(before) > 0 and len(photos) > 0, "nothing was added to the library")
    service.stop()
    folder = (system.folder / "var/lib/shelflist").stat()
    expect(folder.st_mode & 0o777 == 0o700, "others can read the data")

    step(f"upgrade to {package.name}")
    settings = system.folder / "etc/shelflist/shelflist.env"
    settings.write_text(settings.read_text(encoding="utf-8") + "SHELFLIST_LOG_FORMAT=json\n", encoding="utf-8")
    system.install(package)
    expect("SHELFLIST_LOG_FORMAT=json" in settings.read_text(encoding="utf-8"), "the upgrade lost a changed setting")
    service = Service(system)
    service.wait()
    service.call("POST", "/session", owner)
    expect(library(service) == before, "the upgrade changed the library")
    expect(data_files(system) == photos, "the upgrade changed the photos")
    service.stop()
    expect(re.search(r"^\{", service.text(), re.M), "the service does not use /etc/shelflist/shelflist.env")

    step("remove and purge; books and photos stay")
    system.run("dpkg", "--remove", "shelflist")
    expect(not (system.folder / "usr/bin/shelflist").exists(), "the program is still there")
    expect(settings.exists(), "removing deleted the settings")
    said = system.run("dpkg", "--purge", "shelflist").stdout
    expect("/var/lib/shelflist" in said, "purging did not say that the data was kept")
    expect(not settings.parent.exists(), "purging left the settings")
    expect(data_files(system) == photos, "purging deleted photos")
    left = [path for place in ("lib", "share") for path in (system.folder / "usr" / place).glob("shelflist")]
    expect(not left, f"purging left {left}")
    step("install again; the library is found")
    system.install(package)
    service = Service(system)
    service.wait()
    service.call("POST", "/session", owner)
    expect(library(service) == before, "a new installation does not find the library")
    service.stop()


if __name__ == "__main__":
    main()
