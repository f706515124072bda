"""Faults while a member signs out, or another one signs in: no photo is lost, and none is shown to another member."""
import pytest
import steps
from conftest import NAME, PASSWORD
from leaving import KEPT, NOTHING, add_bea, enter, fill, shows, sign_out, take
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")


@pytest.mark.books(12)
@pytest.mark.parametrize("fault", ["killed", "offline", "lost"])
def test_without_an_answer_nothing_is_lost_when_signing_out(app, server, context, fault):
    def lose(route):
        """The server ends the session, and its answer is lost."""
        server.send("DELETE", "/api/v1/session?keepPhotos=true")
        route.abort()

    fill(app)
    take(app)
    app.open("/settings/account")
    app.get_by_role("button", name="Sign out").click()
    match fault:
        case "killed": server.kill()
        case "offline": context.set_offline(True)
        case "lost": app.route("**/api/v1/session?*", lose)
    dialog = app.get_by_role("dialog", name="3 photos were not sent")
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(app.get_by_text("You are still signed in: the server cannot be reached.").first).to_be_visible()
    if fault == "killed":
        server.start()
    context.set_offline(False)
    app.open("/library")
    app.reload()
    if fault == "lost":
        # The server had ended the session, and says so now.
        expect(app.get_by_role("heading", name="Sign in")).to_be_visible()
        steps.eventually(app, f"() => ({KEPT})().then((kept) => kept.books === 0)")
        assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}
        enter(app, NAME)
    else:
        expect(app.locator(".cell a")).to_have_count(12)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
def test_signing_out_is_completed_at_the_next_start(app, server, context):
    fill(app)
    take(app)
    answered = []
    # The page is closed after the server's answer, before anything is removed.
    app.route("**/api/v1/session?*", lambda route: answered.append(route.fetch()))
    sign_out(app)
    app.get_by_role("dialog", name="3 photos were not sent").get_by_role("button", name="Sign out", exact=True).click()
    steps.until(app, lambda: answered)
    app.goto("about:blank")
    app.unroute("**/api/v1/session?*")
    app.open("/welcome")
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    assert app.evaluate(KEPT) == {**NOTHING, "tray": 3}
    enter(app, NAME)
    app.open("/scan")
    shows(app, 3)


@pytest.mark.books(12)
@pytest.mark.parametrize("fault", ["closed", "killed"])
def test_a_hand_over_is_completed_at_the_next_start(app, server, context, fault):
    fill(app)
    bea = add_bea(server)
    take(app)
    app.goto("about:blank")
    context.clear_cookies()
    app.request.post(f"{server.address}/api/v1/session", data={"name": "Bea", "password": PASSWORD})
    page = context.new_page()
    # The page comes no further than the removal of the pictures, which is first.
    page.add_init_script("globalThis.isRemoving = false; caches.delete = () => { isRemoving = true; return new Promise(() => {}); }")
    page.goto(f"{server.address}/#/scan")
    page.wait_for_function("() => isRemoving")
    if fault == "killed":
        server.kill()
        server.start()
    page.close()
    app.open("/scan")
    steps.eventually(app, f"() => import('/lib/store.js').then((store) => store.get('meta', 'member')).then((member) => member === '{bea['id']}')")
    steps.eventually(app, f"() => import('/lib/state.js').then((state) => state.user.get()?.id === '{bea['id']}')")
    shows(app, 0)
    kept = app.evaluate(KEPT)
    assert (kept["tray"], kept["pictures"]) == (3, 0)
    sign_out(app)
    expect(app.get_by_role("button", name="Sign in")).to_be_visible()
    enter(app, NAME)
    app.open("/scan")
    shows(app, 3)
