"""An upgrade that is installed while the program runs."""
import json
import shutil

import pytest
from conftest import ROOT, RealServer, entered
from playwright.sync_api import expect
from servers import built

pytestmark = [pytest.mark.reads, pytest.mark.sizes("phone")]


class Installed(RealServer):
    """A copy of the program in a prefix of its own, as a package installs it."""

    def __init__(self, folder, prefix):
        self.built = built("shelflist", "SHELFLIST_BINARY")
        self.prefix, self.program = prefix, prefix / "bin/shelflist"
        resources = prefix / "share/shelflist"
        self.program.parent.mkdir(parents=True)
        resources.mkdir(parents=True)
        for name in ("models", "fonts"):
            (resources / name).symlink_to(ROOT / ".deps" / name)
        shutil.copy(ROOT / "Data/starter.csv.gz", resources)
        self.install("0.1.0", "1a2b3c4d5e6f")
        super().__init__(folder, binary=self.program)

    def install(self, version, commit):
        """Replaces the program and the name of its build, as a package manager does: by new files."""
        new = self.program.with_suffix(".new")
        shutil.copy(self.built, new)
        new.rename(self.program)
        file = self.prefix / "share/shelflist/build.json"
        file.with_suffix(".new").write_text(json.dumps({"version": version, "commit": commit}))
        file.with_suffix(".new").rename(file)


@pytest.mark.worker
def test_the_owner_sees_that_a_newer_version_was_installed(page, tmp_path):
    server = Installed(tmp_path / "data", tmp_path / "prefix")
    try:
        app = entered(page, server)
        about = app.locator("section", has=app.get_by_role("heading", name="About"))
        app.open("/settings/server/models")
        expect(about).to_contain_text("0.1.0 (1a2b3c4d5e6f)")
        expect(app.get_by_text("PP-OCRv6 small of rapidocr").first).to_be_visible()
        expect(about.get_by_role("status")).to_have_count(0)

        server.install("9.9.9", "aaaaaaaaaaaa")
        app.reload()
        expect(about.get_by_role("status")).to_have_text("Version 9.9.9 is installed. Restart the service to use it.")
        expect(about).to_contain_text("0.1.0 (1a2b3c4d5e6f)")

        # Another build of the same version is named by its commit.
        server.install("0.1.0", "bbbbbbbbbbbb")
        app.reload()
        expect(about.get_by_role("status")).to_contain_text("Version 0.1.0 (bbbbbbbbbbbb) is installed.")
        server.stop()
        server.start()
        app.reload()
        expect(about).to_contain_text("0.1.0 (bbbbbbbbbbbb)")
        expect(about.get_by_role("status")).to_have_count(0)
        assert app.refused == []
    finally:
        server.close()
