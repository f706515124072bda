"""A PostgreSQL server of a test's own, from Debian's packages, and what tests ask it."""
import os
import pathlib
import shutil
import subprocess

#: PostgreSQL does not run as root.
AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []


def programs():
    """The folder with initdb and pg_ctl; None where PostgreSQL is not installed."""
    found = [path.parent for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(found, key=lambda path: int(path.parent.name)) if found else None


class Postgres:
    def __init__(self, folder, address="127.0.0.1", settings=()):
        self.programs = programs()
        if self.programs is None:
            raise SystemExit("PostgreSQL is missing. Install it: apt install postgresql")
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o755)
        if AS_POSTGRES:
            shutil.chown(self.folder, "postgres", "postgres")
        self.data = self.folder / "data"
        self.address = address
        self.url = f"postgresql://shelflist@{address}:5432/postgres"
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "shelflist", "--no-sync", "-E", "UTF8", "--locale=C")
        with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as file:
            file.write("host all all 0.0.0.0/0 trust\n")
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(f"listen_addresses = '*'\nunix_socket_directories = '{self.folder}'\n")
            file.writelines(f"{setting}\n" for setting in settings)
        self.start()

    def run(self, program, *words):
        subprocess.run([*AS_POSTGRES, self.programs / program, *words], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "start")

    def stop(self, mode="fast"):
        """`immediate` is a crash."""
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def query(self, statement, role="shelflist"):
        """The rows of a statement, as lists of texts."""
        answer = subprocess.run(
            [self.programs / "psql", "-h", self.folder, "-U", role, "-d", "postgres", "-XqAt", "-F", "\t", "-c",
             statement], check=True, capture_output=True, text=True)
        return [line.split("\t") for line in answer.stdout.splitlines()]

    def number(self, statement):
        return int(self.query(statement)[0][0])

    def left(self):
        """The rows of each table that no photo needs any more."""
        return {table: self.number(f"SELECT count(*) FROM shelflist_work.{table}")
                for table in ("photo", "photo_piece", "report")}
