"""Settings, Catalog: the choice, the sizes, the download with its progress and failures, and updates."""
import fcntl
import re

import dump_server
import pytest
import steps
from conftest import PASSWORD, sign_in
from playwright.sync_api import expect

pytestmark = [pytest.mark.scripted, pytest.mark.sizes("phone")]
# Bytes of a file: more than any disk has.
HUGE = 10**16


@pytest.fixture(autouse=True)
def dumps(monkeypatch):
    """Open Library's dumps, for servers that start later."""
    with dump_server.running(monkeypatch) as running:
        yield running


def section(app):
    return app.locator(".catalog")


def button(app, name):
    return app.get_by_role("button", name=name, exact=True)


def start(app):
    """Asks for the sizes and agrees."""
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog", name="Download this catalog?")
    sheet.get_by_role("button", name="Download", exact=True).click()


def size(app, count):
    """Bytes as the app writes them."""
    return app.evaluate(f"import('/lib/i18n.js').then((i18n) => i18n.bytes({count}))")


def titles(*languages, isbn=False):
    return f"{dump_server.kept(languages, isbn):,} titles"


def today(app):
    return app.evaluate("import('/lib/i18n.js').then((i18n) => i18n.day(new Date().toISOString()))")


def test_a_catalog_is_chosen_downloaded_and_updated(app, server, dumps):
    app.open("/settings/reading")
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
    assert dumps.asked == [], "nothing is sent before the owner asks for the sizes"
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog", name="Download this catalog?")
    whole = size(app, dumps.bytes)
    for words in ("Open Library, 31 October 2026", "French, German · with ISBN", whole, f"at most {whole}", "at least 1 min at 50 Mbit/s"):
        expect(sheet).to_contain_text(words)
    dumps.sends.clear()
    sheet.get_by_role("button", name="Download", exact=True).click()
    expect(section(app)).to_contain_text(
        re.compile(rf"{size(app, dumps.half)} of {whole} · [\d.]+ K?B/s · \d+ min left · [1-9][\d,]* books"))
    expect(section(app)).to_contain_text("You can close the app and scan books.")
    share = str(round(100 * dumps.half / dumps.bytes))
    expect(app.get_by_role("progressbar", name="Downloading")).to_have_attribute("aria-valuenow", share)
    running = server.call("GET", "/catalog")["download"]
    assert running["languages"] == ["fre", "ger"] and running["isbn"] is True

    app.open("/settings/reading")
    expect(app.get_by_role("link", name=f"Downloading: {share}%")).to_be_visible()
    app.open("/settings/catalog")
    dumps.sends.set()
    expect(section(app)).to_contain_text(titles("fre", "ger", isbn=True))
    expect(section(app)).to_contain_text("French, German · with ISBN")
    expect(section(app)).to_contain_text(size(app, server.call("GET", "/catalog")["bytes"]))
    monthly = app.get_by_role("switch", name="Update monthly")
    expect(monthly).not_to_be_checked()
    monthly.check()
    expect(monthly).to_be_checked()
    dumps.answers.clear()
    days = [today(app)]
    button(app, "Check for newer data").click()
    expect(section(app).get_by_role("progressbar")).to_be_visible()
    dumps.answers.set()
    expect(section(app).get_by_role("progressbar")).to_have_count(0)
    days.append(today(app))
    expect(section(app)).to_contain_text(re.compile("|".join(f"Last checked: {day}" for day in days)))
    assert server.call("GET", "/settings")["updateCatalog"] is True


def test_a_download_is_cancelled_resumed_and_deleted(app, server, dumps):
    dumps.sends.clear()
    app.open("/settings/catalog")
    half = f"{size(app, dumps.half)} of {size(app, dumps.bytes)}"
    start(app)
    expect(section(app)).to_contain_text(half)
    button(app, "Cancel").click()
    expect(app.get_by_role("heading", name="Download stopped")).to_be_focused()
    expect(section(app)).to_contain_text(re.compile(r"[1-9]\d* [KM]B are kept on the server’s disk\."))
    assert server.call("GET", "/catalog")["download"]["unfinishedBytes"] > 0
    button(app, "Resume").click()
    expect(section(app)).to_contain_text(half)
    button(app, "Cancel").click()
    button(app, "Delete what was downloaded").click()
    app.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(app.get_by_role("switch", name="English")).to_be_visible()
    assert "download" not in server.call("GET", "/catalog")


def test_a_failure_says_what_to_do_until_the_next_start(app, dumps):
    app.open("/settings/catalog")
    app.get_by_role("radio", name="All languages").check()
    section(app).get_by_role("button", name="Download", exact=True).click()
    agree = app.get_by_role("dialog", name="Download this catalog?").get_by_role("button", name="Download", exact=True)
    expect(agree).to_be_visible()
    # Larger dumps have been published since.
    dumps.claimed = HUGE
    agree.click()
    alert = section(app).get_by_role("alert")
    expect(alert).to_contain_text("The server’s disk is almost full. Free some space, then resume.")
    app.reload()
    expect(alert).to_contain_text("The server’s disk is almost full.")
    dumps.is_down = True
    button(app, "Resume").click()
    expect(alert).to_contain_text("could not reach Open Library")
    expect(section(app)).to_contain_text("The server retries within an hour.")
    dumps.claimed, dumps.is_down = None, False
    button(app, "Retry").click()
    expect(section(app)).to_contain_text(titles())
    expect(alert).to_have_count(0)


def test_the_sizes_say_when_the_disk_is_too_small(app, dumps):
    app.open("/settings/catalog")
    dumps.is_down = True
    section(app).get_by_role("button", name="Download", exact=True).click()
    sheet = app.get_by_role("dialog")
    expect(sheet.get_by_role("alert")).to_contain_text("127.0.0.1 cannot be reached.")
    dumps.is_down, dumps.claimed = False, HUGE
    sheet.get_by_role("button", name="Retry").click()
    expect(sheet.get_by_role("alert")).to_contain_text("The disk space may not suffice.")
    expect(sheet.locator(".kv", has_text="Available")).to_contain_text(re.compile(r"\d [MGT]B$"))
    sheet.get_by_role("button", name="Cancel").click()
    app.get_by_role("radio", name="All languages").check()
    expect(app.get_by_role("switch", name="English")).to_be_hidden()
    section(app).get_by_role("button", name="Download", exact=True).click()
    expect(sheet.get_by_role("alert")).to_contain_text("It does not fit on the server’s disk.")
    expect(sheet.get_by_role("button", name="Download", exact=True)).to_have_count(0)
    sheet.get_by_role("button", name="Close").last.click()
    # The size that the dumps had in 2026.
    dumps.claimed = 14_800_000_000 // 3
    section(app).get_by_role("button", name="Download", exact=True).click()
    for words in ("15 GB", "about 15 GB", "at least 39 min at 50 Mbit/s"):
        expect(sheet).to_contain_text(words)


def test_no_language_is_not_all_languages(app):
    app.open("/settings/catalog")
    app.get_by_role("switch", name="English").uncheck()
    section(app).get_by_role("button", name="Download", exact=True).click()
    expect(app.locator(".undo")).to_contain_text("Select a language, or all languages.")
    expect(app.get_by_role("dialog")).to_have_count(0)


def test_a_download_of_another_program_is_shown(app, server):
    with open(server.folder / "catalog.sqlite.download.lock", "w") as lock:
        # Programs that download hold this lock.
        fcntl.flock(lock, fcntl.LOCK_EX)
        app.open("/settings/catalog")
        expect(section(app)).to_contain_text("Another program is downloading the catalog")
    expect(app.get_by_role("switch", name="English")).to_be_visible()


def test_a_member_sees_the_catalog_and_cannot_download(app, server):
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    member = {"name": "Bea", "password": PASSWORD}
    server.call("POST", "/members", {**member, "role": "editor"})
    app.context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data=member)
    app.open("/settings/catalog")
    expect(section(app)).to_contain_text("The owner of this server can download one.")
    expect(section(app).get_by_role("button", name="Download")).to_have_count(0)
    server.call("POST", "/catalog/download", {"languages": [], "isbn": False})
    app.reload()
    expect(section(app)).to_contain_text(titles())
    expect(section(app)).to_contain_text("All languages")
    expect(section(app).get_by_role("switch")).to_have_count(0)


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
def test_the_screen_fits_a_narrow_phone_in_both_languages(browser, server, dumps, size, language):
    context = browser.new_context(**{**size, "viewport": {"width": 320, "height": 640}}, locale=language, service_workers="block")
    sign_in(context, server)
    page = context.new_page()
    wanted = {"languages": ["eng", "ger", "fre", "spa", "ita"], "isbn": True}

    def none():
        pass

    def running():
        dumps.sends.clear()
        server.call("POST", "/catalog/download", wanted)

    def done():
        dumps.sends.set()

    def failed():
        dumps.is_page = True
        server.call("POST", "/catalog/download", {**wanted, "isbn": False})

    for change, there in ((none, ".seg"), (running, ".bar"), (done, "summary"), (failed, ".note.bad summary")):
        change()
        page.goto("about:blank")
        page.goto(f"{server.address}/#/settings/catalog")
        page.locator(f".catalog {there}").first.wait_for()
        assert "catalog." not in page.locator(".catalog").inner_text(), "every text is translated"
        for details in page.locator("summary").all():
            details.click()
        assert steps.outside(page) == []
    context.close()
