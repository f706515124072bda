"""The first run: the owner's account, then once the question where titles are checked."""
import json

import open_library as stand_in
import pytest
import steps
import test_access
from conftest import NAME, PASSWORD, other_page, watched
from playwright.sync_api import expect

pytestmark = pytest.mark.sizes("phone")
QUESTION = "Look books up?"


@pytest.fixture
def first_run(page, empty_server):
    """The app on a server without an owner, catalog and provider; records what it asks of the settings."""
    app = watched(page, empty_server)
    app.changes = []
    app.on("request", lambda r: app.changes.append(json.loads(r.post_data)) if r.method == "PATCH" else None)
    return app


def fill_in(app, button):
    app.get_by_label("Name").fill(NAME)
    app.get_by_label("Password").fill(PASSWORD)
    app.get_by_role("button", name=button).click()


def question(app):
    app.open("/library")
    fill_in(app, "Create account")
    expect(app.get_by_role("heading", name=QUESTION)).to_be_focused()


def settings(app):
    return app.evaluate("fetch('/api/v1/settings').then((answer) => answer.json())")


def enabled(app):
    return [p["id"] for p in settings(app)["providers"] if p["enabled"]]


def test_a_wrong_set_up_code_is_named_at_its_field(first_run):
    # As from another machine.
    first_run.route("**/api/v1/**", lambda route: route.continue_(headers={**route.request.headers, "x-forwarded-for": "203.0.113.9"}))
    first_run.open("/library")
    code = first_run.get_by_label("Set-up code")
    code.fill("a guess")
    fill_in(first_run, "Create account")
    expect(first_run.locator(".field-error")).to_have_text("This code is wrong. The server prints it at start.")
    expect(code).to_be_focused()
    expect(code).to_have_attribute("aria-invalid", "true")
    expect(first_run.get_by_label("Password")).to_have_value(PASSWORD)
    code.fill(first_run.server.code)
    first_run.get_by_role("button", name="Create account").click()
    expect(first_run.get_by_role("heading", name=QUESTION)).to_be_visible()


def test_staying_offline_is_kept_and_not_asked_again(first_run):
    question(first_run)
    assert first_run.changes == []
    first_run.get_by_role("button", name="Work offline").click()
    expect(first_run.locator(".empty")).to_contain_text("No books yet")
    assert first_run.changes == [{"sourceChosen": True}]
    assert enabled(first_run) == []
    first_run.open("/welcome")
    fill_in(first_run, "Sign in")
    expect(first_run.locator(".empty")).to_contain_text("No books yet")


def test_asking_online_turns_open_library_on(first_run):
    question(first_run)
    assert (first_run.changes, enabled(first_run)) == ([], [])
    button = first_run.get_by_role("button", name="Use Open Library")
    expect(button).to_have_accessible_description("Most books then need no check. Titles and authors are sent, never photos.")
    button.click()
    expect(first_run.locator(".empty")).to_contain_text("No books yet")
    assert enabled(first_run) == ["openlibrary"]


def test_a_list_of_books_leads_to_the_import(first_run):
    question(first_run)
    first_run.get_by_role("button", name="I have a list of my books").click()
    expect(first_run.get_by_role("heading", level=1)).not_to_have_text(QUESTION)
    assert first_run.url.endswith("#/import")
    assert (first_run.changes, enabled(first_run)) == ([{"sourceChosen": True}], [])


def test_the_question_comes_without_an_account_too(first_run):
    first_run.open("/library")
    first_run.get_by_role("button", name="Later").click()
    first_run.get_by_role("button", name="Work offline").click()
    expect(first_run.locator(".empty")).to_contain_text("No books yet")
    assert settings(first_run)["sourceChosen"]


@pytest.mark.scripted
def test_the_question_stays_after_a_reload_and_a_failure(first_run):
    question(first_run)
    first_run.reload()
    expect(first_run.get_by_role("heading", name=QUESTION)).to_be_visible()
    first_run.server.fail("PATCH", "/api/v1/settings", status=503, detail="The disk is full. Free some space on it.")
    first_run.get_by_role("button", name="Use Open Library").click()
    expect(first_run.locator(".note.bad")).to_contain_text("The disk is full")
    assert enabled(first_run) == []
    first_run.get_by_role("button", name="Use Open Library").click()
    expect(first_run.locator(".empty")).to_be_visible()
    assert enabled(first_run) == ["openlibrary"]


def test_the_question_fits_and_is_accessible(first_run):
    question(first_run)
    for theme in steps.THEMES:
        first_run.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        rules = test_access.COLOURS if theme != steps.THEMES[0] else test_access.RULES
        assert [theme, *test_access.violations(first_run, rules)] == [theme]
    first_run.set_viewport_size({"width": 320, "height": 640})
    assert steps.outside(first_run) == []
    small = "() => [...document.querySelectorAll('main button')].filter((b) => b.getBoundingClientRect().height < 43.5).length"
    assert first_run.evaluate(small) == 0


def test_the_question_in_german(browser, size, empty_server):
    owner = {"name": NAME, "password": PASSWORD, "role": "owner"}
    empty_server.cookie = empty_server.send("POST", "/api/v1/setup", owner)[1]["set-cookie"].split(";")[0]
    with other_page(browser, empty_server, size, locale="de-DE", service_workers="block") as page:
        page.goto(f"{empty_server.address}/#/welcome")
        expect(page.get_by_role("heading", name="Bücher nachschlagen?")).to_be_visible()
        for name in ("Open Library verwenden", "Ich habe eine Liste meiner Bücher", "Offline arbeiten"):
            expect(page.get_by_role("button", name=name)).to_be_visible()


@pytest.fixture
def open_library(monkeypatch):
    """Open Library without books; returns the paths that it was asked for."""
    with stand_in.running(monkeypatch, titles=[]) as running:
        running.gate.set()
        yield running.asked


def test_no_provider_is_asked_before_the_answer(open_library, first_run, empty_server, page):
    def search(words):
        return page.evaluate("(q) => fetch('/api/v1/search?q=' + q).then((r) => r.status)", words)

    question(page)
    assert search("dune") == 200
    assert open_library == []
    page.get_by_role("button", name="Use Open Library").click()
    expect(page.locator(".empty")).to_contain_text("No books yet")
    assert search("dune") == 200
    assert len(open_library) > 0
    # The server was restarted: the answer is kept.
    empty_server.stop()
    empty_server.start()
    page.open("/welcome")
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
