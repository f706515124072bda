"""Installs the Debian package in a minimal Debian without Swift, and uses, upgrades, removes and purges it.

usage: test_deb.py PREVIOUS PACKAGE

PREVIOUS is a package with a lower version. Nothing can start services there, as in any chroot: the test runs what the
installed unit says.
"""
import json
import pathlib
import re
import shlex
import sys
import tempfile

import debian_root
from server_test import PHOTO, Service, end_all, expect, library, scan, step


def start(system):
    """Starts the server as the installed unit says: its command, user and settings."""
    unit = (system.folder / "usr/lib/systemd/system/shelflist.service").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^(\w+)=(.*)$", unit, re.M))
    settings = system.folder / fields["EnvironmentFile"].lstrip("-/")
    environment = dict(re.findall(r"^(SHELFLIST_\w+)=(.*)$", settings.read_text(encoding="utf-8"), re.M))
    command = shlex.split(fields["ExecStart"].replace("%S", "/var/lib"))
    expect(fields["StateDirectory"] == "shelflist", "the unit's StateDirectory is not shelflist")
    unit_environment = dict(re.findall(r"^Environment=(\w+)=(.*)$", unit, re.M))
    expect(unit_environment == {"SWIFT_BACKTRACE": "enable=no", "SHELFLIST_REQUIRE_CONFINEMENT": "true"},
           f"the unit's environment is {unit_environment}")
    service = Service(lambda port: system.command(
        *command, user=fields["User"], environment=unit_environment | environment | {"HOME": "/nonexistent", "SHELFLIST_PORT": str(port)}))
    service.wait()
    return service


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
            end_all()
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
    service = start(system)
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
    service = start(system)
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
    service = start(system)
    service.call("POST", "/session", owner)
    expect(library(service) == before, "a new installation does not find the library")
    service.stop()
    step("check the unit with systemd")
    system.run("apt-get", "install", "-y", "--no-install-recommends", "systemd")
    checked = system.run("systemd-analyze", "verify", "shelflist.service", check=False)
    expect(checked.returncode == 0 and not checked.stdout + checked.stderr,
           f"systemd-analyze found:\n{checked.stdout}{checked.stderr}")


if __name__ == "__main__":
    main()
