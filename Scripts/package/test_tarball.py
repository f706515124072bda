"""Unpacks the tarball in a minimal Debian 11, whose glibc is 2.31, and uses it there without a network and without any
library but glibc.

usage: test_tarball.py ARCHIVE
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import debian_root
from server_test import PHOTO, Service, end_all, expect, library, scan, step


def use(system, archive):
    glibc = system.run("ldd", "--version").stdout
    expect("2.31" in glibc.splitlines()[0], f"this system does not have glibc 2.31: {glibc}")
    step("unpack the tarball in Debian 11")
    system.run("tar", "-xzf", f"/tmp/{archive.name}", "-C", "/opt")
    folder = next((system.folder / "opt").iterdir())
    shutil.move(folder, system.folder / "opt/a folder")
    program = "/opt/a folder/bin/shelflist"
    loaded = system.run("ldd", program).stdout
    strangers = [path for path in re.findall(r"=> (\S[^(]*?) \(", loaded)
                 if not path.startswith("/opt/a folder/") and not re.search(r"/lib(c|m|dl|rt|util|pthread)\.so", path)]
    expect("not found" not in loaded and not strangers, f"libraries of the system are used:\n{loaded}")
    share = system.folder / "opt/a folder/share/shelflist"
    for name in ["licenses/libheif1/copyright", "licenses/libsqlite3-0/copyright", "licenses/openvino/LICENSE"]:
        expect((share / name).stat().st_size > 0, f"{name} is empty")
    checked = subprocess.run([sys.executable, pathlib.Path(__file__).parent / "check_sbom.py", share / "sbom.spdx.json"])
    expect(checked.returncode == 0, "the bill of materials is not valid")

    step("decode all formats, and read the example photo as an ordinary user without a network")
    offline = ["unshare", "--net"]
    doctor = subprocess.run([*offline, *system.command(program, "doctor", user="daemon", environment={"HOME": "/tmp"})],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    expect(doctor.returncode == 0 and re.search("heic.*decodes", doctor.stdout, re.I), f"doctor failed:\n{doctor.stdout}")
    (system.folder / "tmp/shelf.jpg").write_bytes(PHOTO.read_bytes())
    result = subprocess.run(
        [*offline, *system.command(program, "scan", "--format", "json", "--annotate", "/tmp/seen", "/tmp/shelf.jpg",
                                   user="daemon", environment={"HOME": "/tmp"})],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect(result.returncode == 0, f"scanning failed:\n{result.stderr}")
    books = json.loads(result.stdout)["photos"][0]["books"]
    expect(len(books) > 5, f"only {len(books)} books were read")

    step("start the server, scan through the API, start it again")
    owner = {"name": "Ada", "password": "correct horse"}
    serve = [program, "serve", "--data", "/tmp/data"]
    service = Service(lambda port: system.command(*serve, "--port", port, user="daemon", environment={"HOME": "/tmp"}))
    service.wait()
    service.call("POST", "/setup", owner | {"role": "owner"})
    expect(b"<html" in service.call("GET", "/", api=""), "the web app is not served")
    found = scan(service)
    expect(len(found) == len(books), f"the server found {len(found)} books, the command {len(books)}")
    expect("does not confine" not in service.text(), "photos are decoded without confinement")
    kept = library(service)
    service.stop()
    service = Service(lambda port: system.command(*serve, "--port", port, user="daemon", environment={"HOME": "/tmp"}))
    service.wait()
    service.call("POST", "/session", owner)
    expect(kept and library(service) == kept, "the library changed")
    service.stop()


def main():
    archive = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="shelflist-tarball-") as folder:
        system = debian_root.System(folder, "bullseye")
        try:
            shutil.copy(archive, pathlib.Path(folder) / "tmp")
            use(system, archive)
        finally:
            end_all()
            system.close()


if __name__ == "__main__":
    main()
