"""A minimal Debian system in a folder, for the tests and as the base of the container image.

It is made by debootstrap from the package source of this machine and kept in .deps/debian-root. Copies of it have no
Swift and no sources of Shelflist.

usage: debian_root.py FOLDER

Makes the base of an image in FOLDER: with the security updates of today, without documents and translations.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / ".deps/debian-root"
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive"}


def reason_to_skip():
    """Returns why this machine cannot make such a system, or nothing."""
    if os.geteuid() != 0:
        return "it needs root"
    if not shutil.which("debootstrap"):
        return "debootstrap is not installed"
    return None


def suite():
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    return re.search(r"^VERSION_CODENAME=(\w+)", text, re.M)[1]


def mirror():
    """Returns the package source of this machine that has its own release."""
    for path in [pathlib.Path("/etc/apt/sources.list"), *sorted(pathlib.Path("/etc/apt/sources.list.d").glob("*"))]:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for line in re.findall(r"^deb\s+(?:\[.*?\]\s+)?(\S+)\s+(\S+)\s", text, re.M):
            if line[1] == suite():
                return line[0]
        for block in re.split(r"\n\s*\n", text):
            fields = dict(re.findall(r"^(\w+):\s*(.+)$", block, re.M))
            if suite() in fields.get("Suites", "").split():
                return fields["URIs"].split()[0]
    raise SystemExit(f"No package source in /etc/apt has {suite()}.")


def base(release):
    """Returns the folder of the minimal system of a release of Debian, which it makes once."""
    folder = CACHE / release
    if not folder.is_dir():
        print(f"==> Making a minimal Debian {release} (once, a minute)", flush=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        new = CACHE / "new"
        shutil.rmtree(new, ignore_errors=True)
        log = CACHE / "debootstrap.log"
        with log.open("wb") as out:
            done = subprocess.run(["debootstrap", "--variant=minbase", release, new, mirror()], stdout=out, stderr=out)
        if done.returncode != 0:
            raise SystemExit(f"debootstrap failed (the whole log: {log}).")
        new.rename(folder)
    return folder


class System:
    """A copy of the minimal system, with /proc and a way to run commands in it."""

    def __init__(self, folder, release=None):
        self.folder = pathlib.Path(folder)
        subprocess.run(["cp", "-a", "--reflink=auto", f"{base(release or suite())}/.", self.folder], check=True)
        shutil.copyfile("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        subprocess.run(["mount", "-t", "proc", "proc", self.folder / "proc"], check=True)

    def command(self, *words, user=None, environment=None):
        """Returns the command that runs `words` inside, as root or as a user without privileges."""
        variables = [f"{key}={value}" for key, value in {**ENVIRONMENT, **(environment or {})}.items()]
        become = [f"--userspec={user}"] if user else []
        limit = ["setpriv", "--no-new-privs"] if user else []
        return ["chroot", *become, str(self.folder), "env", "-i", *variables, *limit, *map(str, words)]

    def run(self, *words, check=True, **options):
        done = subprocess.run(self.command(*words, **options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))} failed with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    def install(self, package):
        """Installs a package file with its dependencies, whose archives are kept for the next time."""
        archives = CACHE / f"archives-{suite()}"
        archives.mkdir(exist_ok=True)
        inside = self.folder / "var/cache/apt/archives"
        for archive in archives.glob("*.deb"):
            shutil.copy(archive, inside)
        shutil.copy(package, self.folder / "tmp")
        if not self.has_lists():
            self.run("apt-get", "update")
        done = self.run("apt-get", "install", "-y", "--no-install-recommends", "-o", "APT::Keep-Downloaded-Packages=true",
                        f"/tmp/{pathlib.Path(package).name}")
        for archive in inside.glob("*.deb"):
            shutil.copy(archive, archives)
        return done

    def has_lists(self):
        """Whether apt's lists are there; a fresh copy has those of debootstrap."""
        return any((self.folder / "var/lib/apt/lists").glob("*Packages*"))

    def close(self):
        subprocess.run(["umount", self.folder / "proc"], check=True)


# As in Debian's own images: licences stay.
SLIM = """path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/locale/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/lintian/*
"""


def make_image_base(folder):
    """Makes a minimal system that a container starts from."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    system = System(folder)
    try:
        (folder / "etc/dpkg/dpkg.cfg.d/slim").write_text(SLIM, encoding="utf-8")
        updates = re.sub(r"debian/?$", "debian-security", mirror())
        with (folder / "etc/apt/sources.list").open("a", encoding="utf-8") as sources:
            sources.write(f"deb {updates} {suite()}-security main\n")
        system.run("apt-get", "update")
        system.run("apt-get", "upgrade", "-y")
        system.run("sh", "-c", "find /usr/share/doc -type f ! -name copyright -delete; find /usr/share/doc -type d -empty -delete;"
                   " rm -rf /usr/share/locale/* /usr/share/man/* /usr/share/lintian /var/lib/apt/lists/* /var/cache/apt/*"
                   " /var/cache/debconf/*-old /var/log/* /tmp/*")
    finally:
        system.close()


if __name__ == "__main__":
    make_image_base(sys.argv[1])
