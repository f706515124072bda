"""Settings, Catalog: the choice, the sizes, the download with its progress and failures, and updates."""
import re

import pytest
import steps
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")
RUNNING = {"state": "running", "languages": ["eng"], "isbn": False, "startedAt": "2026-11-20T10:00:00Z"}


def section(app):
    return app.locator(".catalog")


def button(app, name):
    return app.get_by_role("button", name=name, exact=True)


def start(app):
    """Asks for the sizes and agrees."""
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog", name="Download this catalog?")
    sheet.get_by_role("button", name="Download", exact=True).click()


def test_a_catalog_is_chosen_downloaded_and_updated(app, server):
    app.open("/settings")
    app.get_by_role("link", name="No catalog yet").click()
    expect(app).to_have_url(re.compile("#/settings/catalog$"))
    english, german = app.get_by_role("switch", name="English"), app.get_by_role("switch", name="German")
    expect(english).to_be_checked()
    expect(german).not_to_be_checked()
    german.check()
    app.get_by_label("More languages").select_option(label="French")
    expect(app.get_by_role("switch", name="French")).to_be_checked()
    english.uncheck()
    app.get_by_role("switch", name="Only books with an ISBN").check()
    assert server.world.asked_dumps is None, "nothing is sent before the owner asks for the sizes"
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog", name="Download this catalog?")
    for words in ("Open Library, October 31, 2026", "French, German · with ISBN", "15 GB", "at most 15 GB", "120 GB", "at least 39 min at 50 Mbit/s"):
        expect(sheet).to_contain_text(words)
    server.world.faults["dumps"] = {"hold": 0.5}
    sheet.get_by_role("button", name="Download", exact=True).click()
    expect(section(app)).to_contain_text("7.4 GB of 15 GB · 6.3 MB/s · 20 min left · 20,000,000 books")
    expect(section(app)).to_contain_text("You can close the app and scan books.")
    expect(app.get_by_role("progressbar", name="Downloading")).to_have_attribute("aria-valuenow", "50")
    assert server.world.download["languages"] == ["fre", "ger"] and server.world.download["isbn"] is True

    app.open("/settings")
    expect(app.get_by_role("link", name="Downloading: 50%")).to_be_visible()
    app.open("/settings/catalog")
    server.world.faults.clear()
    expect(section(app)).to_contain_text("30,512,000 titles")
    expect(section(app)).to_contain_text("French, German · with ISBN")
    expect(section(app)).to_contain_text("18 GB")
    monthly = app.get_by_role("switch", name="Update monthly")
    expect(monthly).not_to_be_checked()
    monthly.check()
    expect(monthly).to_be_checked()
    button(app, "Check for newer data").click()
    expect(section(app).get_by_role("progressbar")).to_be_visible()
    expect(section(app)).to_contain_text("Last checked: November 20, 2026")
    assert server.world.settings["updateCatalog"] is True


def test_a_download_is_cancelled_resumed_and_deleted(app, server):
    server.world.faults["dumps"] = {"hold": 0.5}
    app.open("/settings/catalog")
    start(app)
    expect(section(app)).to_contain_text("7.4 GB of 15 GB")
    button(app, "Cancel").click()
    expect(app.get_by_role("heading", name="Download stopped")).to_be_focused()
    expect(section(app)).to_contain_text("3.2 GB are kept on the server’s disk.")
    button(app, "Resume").click()
    expect(section(app)).to_contain_text("7.4 GB of 15 GB")
    button(app, "Cancel").click()
    button(app, "Delete what was downloaded").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(app.get_by_role("switch", name="English")).to_be_visible()
    assert server.world.download is None


def test_a_failure_says_what_to_do_until_the_next_start(app, server):
    server.world.faults["dumps"] = {"fails": "diskFull"}
    app.open("/settings/catalog")
    start(app)
    alert = section(app).get_by_role("alert")
    expect(alert).to_contain_text("The server’s disk is almost full. Free some space, then resume.")
    app.reload()
    expect(alert).to_contain_text("The server’s disk is almost full.")
    server.world.faults["dumps"] = {"fails": "unreachable"}
    button(app, "Resume").click()
    expect(alert).to_contain_text("could not reach Open Library")
    expect(section(app)).to_contain_text("The server retries within an hour.")
    server.world.faults.clear()
    button(app, "Retry").click()
    expect(section(app)).to_contain_text("30,512,000 titles")
    expect(alert).to_have_count(0)


def test_the_sizes_say_when_the_disk_is_too_small(app, server):
    app.open("/settings/catalog")
    server.world.faults["dumps"] = {"unreachable": True}
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog")
    expect(sheet.get_by_role("alert")).to_contain_text("openlibrary.org cannot be reached.")
    server.world.faults["dumps"] = {"free": 10_000_000_000}
    sheet.get_by_role("button", name="Retry").click()
    expect(sheet.get_by_role("alert")).to_contain_text("The disk space may not suffice.")
    sheet.get_by_role("button", name="Cancel").click()
    app.get_by_role("radio", name="All languages").check()
    expect(app.get_by_role("switch", name="English")).to_be_hidden()
    section(app).get_by_role("button", name="Download", exact=True).click()
    expect(sheet.get_by_role("alert")).to_contain_text("It does not fit on the server’s disk.")
    expect(sheet.get_by_role("button", name="Download", exact=True)).to_have_count(0)


def test_no_language_is_not_all_languages(app, server):
    app.open("/settings/catalog")
    app.get_by_role("switch", name="English").uncheck()
    section(app).get_by_role("button", name="Download", exact=True).click()
    expect(app.locator(".undo")).to_contain_text("Select a language, or all languages.")
    expect(app.get_by_role("dialog")).to_have_count(0)


def test_a_download_of_another_program_is_shown(app, server):
    server.world.download = {"state": "elsewhere"}
    app.open("/settings/catalog")
    expect(section(app)).to_contain_text("Another program is downloading the catalog")
    server.world.download = None
    expect(app.get_by_role("switch", name="English")).to_be_visible()


def test_a_member_sees_the_catalog_and_cannot_download(app, server, monkeypatch):
    import standin
    monkeypatch.setitem(standin.MEMBER, "role", "editor")
    app.open("/settings/catalog")
    expect(section(app)).to_contain_text("The owner of this server can download one.")
    expect(section(app).get_by_role("button", name="Download")).to_have_count(0)
    server.world.catalog = {"languages": [], "isbn": False, "dumps": "2026-10-31", "finishedAt": "2026-11-20T10:00:00Z"}
    app.reload()
    expect(section(app)).to_contain_text("30,512,000 titles")
    expect(section(app)).to_contain_text("All languages")
    expect(section(app).get_by_role("switch")).to_have_count(0)


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
def test_the_screen_fits_a_narrow_phone_in_both_languages(browser, server, size, language):
    failed = {"state": "waiting", "languages": ["eng", "ger", "fre", "spa", "ita"], "isbn": True, "unfinishedBytes": 3_200_000_000,
              "failure": {"reason": "notADump", "detail": "https://mirror.example.org/a-very-long-path-without-any-space/ol_dump_editions_latest.txt.gz is not a gzip file.", "time": "2026-11-20T10:00:00Z"}}
    done = {"languages": failed["languages"], "isbn": True, "dumps": "2026-10-31", "finishedAt": "2026-11-20T10:00:00Z"}
    context = browser.new_context(**{**size, "viewport": {"width": 320, "height": 640}}, locale=language, service_workers="block")
    page = context.new_page()
    for catalog, download, there in ((None, None, ".seg"), (done, failed, "details"), (done, None, "summary"), (None, {**RUNNING}, ".bar")):
        server.world.catalog, server.world.download, server.world.faults["dumps"] = catalog, download, {"hold": 0.5}
        page.goto("about:blank")
        page.goto(f"{server.address}/#/settings/catalog")
        page.locator(f".catalog {there}").first.wait_for()
        assert "catalog." not in page.locator(".catalog").inner_text(), "every text is translated"
        for details in page.locator("summary").all():
            details.click()
        assert steps.outside(page) == []
    context.close()
