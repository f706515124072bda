"""What stays in the browser belongs to one member: signing out removes it, and other members do not see it."""
import pytest
import steps
from conftest import PASSWORD
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")

KEPT = """async () => {
  const store = await import("/lib/store.js");
  const books = (await store.all("library")).length, scans = (await store.all("scans")).length;
  const photos = (await store.all("photos")).length;
  const pictures = await caches.has("shelflist-covers") ? (await (await caches.open("shelflist-covers")).keys()).length : 0;
  return { books, scans, photos, pictures };
}"""
NOTHING = {"books": 0, "scans": 0, "photos": 0, "pictures": 0}


def fill(app, books=12):
    """The library and a picture of it, as kept for offline use."""
    steps.open_library(app)
    steps.installed(app)
    steps.eventually(app, f"() => import('/lib/store.js').then((store) => store.all('library')).then((kept) => kept.length === {books})")
    app.evaluate("""async () => {
      const cache = await caches.open("shelflist-covers");
      await cache.put("/api/v1/covers/a.jpg", new Response("x"));
    }""")
    assert app.evaluate(KEPT)["pictures"] > 0


def sign_out(app):
    app.open("/settings/account")
    app.get_by_role("button", name="Sign out").click()


def is_signed_in(app):
    """Whether the server knows the member whose cookie the browser has."""
    return app.request.get(f"{app.server.address}/api/v1/session").json()["signedIn"]


def scans(server):
    return server.call("GET", "/scans")["items"]


@pytest.mark.books(12)
def test_signing_out_leaves_nothing_in_the_browser(app, server):
    fill(app)
    sign_out(app)
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert not is_signed_in(app)
    # The server has ended the session, too.
    assert server.send("GET", "/api/v1/library")[0] == 401
    assert app.evaluate(KEPT) == NOTHING


@pytest.mark.books(12)
def test_without_a_network_the_member_stays_signed_in(app, context):
    fill(app)
    app.open("/settings/account")
    context.set_offline(True)
    app.get_by_role("button", name="Sign out").click()
    expect(app.get_by_text("You are still signed in: the server cannot be reached.").first).to_be_visible()
    assert app.evaluate(KEPT)["books"] == 12
    context.set_offline(False)
    assert is_signed_in(app)


@pytest.mark.scripted
def test_signing_out_asks_before_it_deletes_photos_that_were_not_sent(app, server, context):
    steps.keep_offline(app, context)
    server.fail("POST", "/api/v1/scans", status=503, times=99)
    context.set_offline(False)
    sign_out(app)
    dialog = app.get_by_role("dialog", name="Sign out without sending?")
    expect(dialog).to_contain_text("One photo has not been sent yet.")
    dialog.get_by_role("button", name="Cancel").click()
    assert is_signed_in(app)
    app.get_by_role("button", name="Sign out").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT) == NOTHING
    assert not is_signed_in(app)


@pytest.mark.books(12)
def test_another_member_neither_sees_nor_sends_what_is_kept(app, server, context):
    fill(app)
    steps.keep_offline(app, context)
    app.goto("about:blank")
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    other = server.call("POST", "/members", {"name": "Bea", "password": PASSWORD, "role": "editor"})
    context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": "Bea", "password": PASSWORD})
    context.set_offline(False)
    app.open("/scans")
    # The data of the first member is removed, except for the photo, which only they send.
    steps.eventually(app, f"() => import('/lib/state.js').then((state) => state.user.get()?.id === '{other['id']}')")
    expect(app.locator(".scan-list .scan-row, .scan-row")).to_have_count(0)
    kept = app.evaluate(KEPT)
    assert (kept["scans"], kept["photos"], kept["pictures"]) == (1, 1, 0)
    assert scans(server) == []
    app.evaluate("() => import('/lib/send.js').then((send) => send.sendWaiting())")
    assert scans(server) == []


@pytest.mark.books(12)
def test_a_picture_that_the_server_no_longer_shows_leaves_the_browser(app):
    fill(app)
    # The cached answer has no date, so it is asked for again; the server does not have it.
    app.evaluate("() => fetch('/api/v1/covers/a.jpg')")
    steps.eventually(app, """() => caches.open("shelflist-covers").then((cache) => cache.match("/api/v1/covers/a.jpg")).then((known) => !known)""")
