"""Runs the container image as Docker does with `--read-only --cap-drop ALL`: its command as its user, with /data and /tmp
as the only places to write to.

usage: test_image.py ARCHIVE LIMIT

ARCHIVE is what Scripts/package/image.sh has written, LIMIT the largest size in megabytes. buildah unpacks it; the root
file system is mounted read-only by this script, because buildah cannot do that without a runtime such as runc. Needs
root, a mount namespace of its own, PyYAML and spdx-tools (PYTHONPATH=.deps/site:.deps/sbom).
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import server_test
import yaml

expect, step = server_test.expect, server_test.step


class Image:
    """An archive of docker, unpacked and mounted."""

    def __init__(self, archive, folder):
        self.store = ["buildah", "--root", folder / "store", "--runroot", folder / "run", "--storage-driver", "vfs"]
        container = self.buildah("from", "--quiet", f"docker-archive:{archive}")
        self.config = json.loads(self.buildah("inspect", container))["Docker"]["config"]
        source = self.buildah("mount", container)
        self.root, self.data = folder / "root", folder / "data"
        self.root.mkdir()
        self.mount("--bind", source, self.root)
        self.mount("-o", "remount,bind,ro", self.root)
        # As Docker makes a volume: with the owner and the permissions of the folder in the image.
        self.data.mkdir()
        owner = (self.root / "data").stat()
        os.chown(self.data, owner.st_uid, owner.st_gid)
        os.chmod(self.data, owner.st_mode & 0o7777)
        self.mount("--bind", self.data, self.root / "data")
        self.mount("-t", "tmpfs", "tmpfs", self.root / "tmp")
        self.mount("-t", "proc", "proc", self.root / "proc")
        self.mount("--rbind", "/dev", self.root / "dev")

    def buildah(self, *words):
        return subprocess.run([*map(str, self.store), *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    @staticmethod
    def mount(*words):
        subprocess.run(["mount", *map(str, words)], check=True)

    def command(self, *words, environment=None, privileged=False):
        """Returns the command that runs `words` in the image: as its user without capabilities, or as root with all."""
        variables = [*self.config["Env"], *(f"{key}={value}" for key, value in (environment or {}).items())]
        user, group = self.config["User"].split(":")
        limit = [] if privileged else ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs",
                                       "--bounding-set=-all", "--inh-caps=-all"]
        return ["chroot", str(self.root), "/usr/bin/env", "-i", *variables, *limit, *words]

    def run(self, *words, **options):
        return subprocess.run(self.command(*words, **options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def serve(self, **settings):
        environment = {f"SHELFLIST_{key.upper()}": value for key, value in settings.items()}
        return server_test.Service(lambda port: self.command(
            *self.config["Entrypoint"], environment=environment | {"SHELFLIST_PORT": str(port)}))

    def health(self):
        """Runs the image's health check."""
        kind, *words = self.config["Healthcheck"]["Test"]
        expect(kind == "CMD", "the health check needs a shell")
        return self.run(*words)


def check_contents(image):
    expect(image.config["User"] == "10001:10001", f"the image runs as {image.config['User']}")
    expect(list(image.config["Volumes"]) == ["/data"], "/data is not its volume")
    expect("SWIFT_BACKTRACE=enable=no" in image.config["Env"], "a crash of the server waits for a backtrace")
    expect("SHELFLIST_REQUIRE_CONFINEMENT=true" in image.config["Env"], "the server starts without confinement")
    packages = image.run("dpkg-query", "-W", "-f", "${Package}\n").stdout.split()
    without = [name for name in packages if not (image.root / "usr/share/doc" / name / "copyright").exists()]
    expect(len(packages) > 50 and not without, f"packages without their licence: {without}")
    listed = re.findall(r"^PackageName: (.+)$", (image.root / "usr/share/shelflist/image.spdx").read_text(), re.M)
    checked = subprocess.run([sys.executable, pathlib.Path(__file__).parent / "check_sbom.py",
                              image.root / "usr/share/shelflist/image.spdx"])
    expect(checked.returncode == 0, "the bill of materials is not valid")
    expect(sorted(listed) == sorted(packages), "the bill of materials differs from the packages")
    expect((image.root / "usr/share/shelflist/sbom.spdx.json").stat().st_size > 0, "the package's bill is missing")
    expect(image.run("touch", "/etc/written", privileged=True).returncode != 0, "the root file system can be written to")
    # -xdev: without /proc, /dev, /tmp and /data.
    others = subprocess.run(["find", image.root, "-xdev", "!", "-user", "root", "-type", "f"], check=True,
                            capture_output=True, text=True).stdout
    expect(not others, f"files do not belong to root:\n{others}")


def titles(service):
    """Returns the books without their addresses, which have the base path in them."""
    return [(book["id"], book["title"]) for book in server_test.library(service)]


def use(image):
    step("refuse to send passwords unencrypted without permission")
    refused = image.run(*image.config["Entrypoint"])
    expect(refused.returncode == 2 and "SHELFLIST" not in refused.stdout and "--trusted-proxies" in refused.stdout,
           f"it started, or did not say what to do:\n{refused.stdout}")
    expect(image.health().returncode == 1, "it is healthy without a server")

    step("start, read the example photo through the API, stop")
    service = image.serve(insecure_http="true")
    service.wait()
    health = image.health()
    expect(health.returncode == 0, f"the health check failed:\n{health.stdout}")
    owner = {"name": "Ada", "password": "correct horse"}
    service.call("POST", "/setup", owner | {"role": "owner"})
    expect(b"<html" in service.call("GET", "/", api=""), "the web app is not served")
    books = server_test.scan(service)
    expect(len(books) > 5, f"only {len(books)} books were read")
    kept = titles(service)
    expect(kept, "nothing was added to the library")
    service.stop()
    expect(image.health().returncode == 1, "it is healthy after the server has stopped")
    expect(not any((image.root / "tmp").iterdir()), "the server left files in /tmp")

    step("start again with HTTPS of its own, below a path: the library is there")
    service = image.serve(lan="true", base_path="/books")
    service.use_https(image.data / "tls/ca.pem", "/books")
    service.wait()
    health = image.health()
    expect(health.returncode == 0 and "https://" in health.stdout, f"the health check failed:\n{health.stdout}")
    service.call("POST", "/session", owner)
    expect(titles(service) == kept, "the library changed")
    service.stop()
    others = [str(path) for path in image.data.rglob("*") if path.stat().st_uid != 10001 or path.stat().st_mode & 0o077]
    expect(not others, f"others can read {others}")


def compose_files():
    root = server_test.PHOTO.parents[1]
    return [root / "compose.yaml", root / "contrib/compose.yml", root / "contrib/casaos/docker-compose.yml"]


def check_compose(image, path):
    """Checks a compose file against the image, and starts the server with the file's settings."""
    step(f"start with the settings of {path.name}")
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    for name, service in document["services"].items():
        unknown = [network for network in service.get("networks", []) if network not in document["networks"]]
        unknown += [source for source, _ in volumes_of(service) if source not in document["volumes"]]
        expect(not unknown, f"{path}: {name} uses {unknown}, which the file does not declare")
    service = document["services"]["shelflist"]
    expect(service["read_only"] and service["tmpfs"] == ["/tmp"] and service["cap_drop"] == ["ALL"] and service["pids_limit"],
           f"{path}: the container is not confined")
    expect([target for _, target in volumes_of(service)] == list(image.config["Volumes"]), f"{path}: its volume is not /data")
    if "build" in service:
        expect((path.parent / service["build"] / "Dockerfile").is_file(), f"{path}: there is no Dockerfile in its folder")
    for port in service.get("ports", []):
        inside = port.split(":")[-1] if isinstance(port, str) else port["target"]
        expect(f"{inside}/tcp" in image.config["ExposedPorts"], f"{path}: the image does not listen on {inside}")
    settings = service["environment"]
    options = image.run("shelflist", "serve", "--help").stdout
    for key in settings:
        option = "--" + key.removeprefix("SHELFLIST_").lower().replace("_", "-")
        expect(re.search(rf"^\s+{option}\b", options, re.M), f"{path}: {key} is not a setting")
    server = image.serve(**{key.removeprefix("SHELFLIST_").lower(): value for key, value in settings.items()})
    if "SHELFLIST_LAN" in settings:
        server.use_https(image.data / "tls/ca.pem", "")
    server.wait()
    health = image.health()
    expect(health.returncode == 0, f"{path}: the health check failed:\n{health.stdout}")
    server.stop()


def volumes_of(service):
    """Returns source and target of each volume."""
    return [volume.split(":") if isinstance(volume, str) else (volume["source"], volume["target"])
            for volume in service["volumes"]]


def main():
    archive, limit = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    megabytes = archive.stat().st_size / 1e6
    step(f"unpack the image of {megabytes:.0f} MB")
    expect(megabytes < limit, f"the image has {megabytes:.0f} MB, and {limit} MB are the limit")
    with tempfile.TemporaryDirectory(prefix="shelflist-image-") as folder:
        image = Image(archive, pathlib.Path(folder))
        try:
            check_contents(image)
            use(image)
            for path in compose_files():
                check_compose(image, path)
        finally:
            server_test.end_all()
            for place in ("dev", "proc", "tmp", "data", ""):
                subprocess.run(["umount", "--lazy", image.root / place], check=True)


if __name__ == "__main__":
    main()
