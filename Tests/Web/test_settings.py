"""The pages of the settings: what each has, how it is reached, and how it is left."""
import re

import pytest
import steps
from playwright.sync_api import expect

pytestmark = [pytest.mark.sizes("phone", "desktop")]

# All that the settings have, by page. Nothing may go missing when a page changes.
HEADINGS = {
    "Account": ["Sign-in", "Appearance"],
    "Reading and lookup": ["Reading", "Book data providers", "Catalog", "Review", "Second opinion"],
    "Library and backups": ["Backup", "Lists of books", "Storage"],
    "Sharing and server": ["Members", "This network", "Connect an app", "About", "Access tokens", "Models"],
}
CONTROLS = {
    "Account": [
        ("button", "Change password"), ("button", "Signed-in devices"), ("button", "Two-factor sign-in"), ("button", "Sign out"),
        ("radio", "System"), ("radio", "Light"), ("radio", "Dark"), ("radio", "Paper"), ("radio", "Moss"), ("radio", "Lamplight"),
        ("radio", "Harbour"), ("radio", "Plum"), ("combobox", "Language"),
    ],
    "Reading and lookup": [
        ("switch", "Ask before adding"), ("switch", "Keep shelf photos"), ("switch", "Keep shelf pictures"),
        ("slider", "Review threshold"), ("combobox", "Who reads photos"), ("switch", "May receive pictures: Gemini"),
    ],
    "Library and backups": [("link", "Download a backup"), ("button", "Restore"), ("link", "Import and export")],
    "Sharing and server": [("button", "Add member"), ("button", "Access log"), ("switch", "Let phones connect"), ("button", "Connect"), ("button", "Create token")],
}
# What only few people need is behind *Advanced*.
ADVANCED = ["Review", "Second opinion", "Access tokens", "Models"]


def open_page(app, name):
    app.open("/settings")
    app.locator("main").get_by_role("link", name=re.compile(f"^{name}")).click()
    expect(app.get_by_role("heading", level=1, name=name)).to_be_focused()


@pytest.mark.parametrize("title", HEADINGS)
def test_all_settings_are_on_a_page_of_the_list(app, server, title):
    open_page(app, title)
    main = app.locator("main")
    for name in HEADINGS[title]:
        if name not in ADVANCED:
            expect(main.get_by_role("heading", level=2, name=name, exact=True)).to_be_visible()
    for name in set(ADVANCED) & set(HEADINGS[title]):
        expect(main.locator("details h2", has_text=re.compile(f"^{name}$"))).to_be_hidden()
    if set(ADVANCED) & set(HEADINGS[title]):
        main.get_by_text("Advanced", exact=True).click()
    expect(main.locator("h2:visible")).to_have_text(HEADINGS[title])
    for role, name in CONTROLS[title]:
        expect(main.get_by_role(role, name=re.compile(f"^{name}"))).to_have_count(1)
    if title == "Reading and lookup":
        for provider in server.call("GET", "/settings")["providers"]:
            expect(main.get_by_role("switch", name=re.compile(f"^{provider['name']}"))).to_be_visible()
        expect(main.locator("[data-part=catalog] a")).to_have_attribute("href", "#/settings/catalog")
    if title == "Library and backups":
        expect(main.get_by_text("On the server")).to_be_visible()
        expect(main.get_by_text("On this device")).to_be_visible()
    if title == "Sharing and server":
        about = server.call("GET", "/about")
        expect(main.locator("[data-part=about]")).to_contain_text(about["version"])
        expect(main.locator("[data-part=models] .kv")).to_have_count(len(about["models"]))


def test_back_leads_to_where_a_page_was_left(app):
    app.set_viewport_size({**app.viewport_size, "height": 420})
    open_page(app, "Reading and lookup")
    catalog = app.locator("[data-part=catalog] a")
    catalog.scroll_into_view_if_needed()
    left = app.evaluate("scrollY")
    assert left > 100
    catalog.click()
    expect(app.get_by_role("heading", level=1, name="Catalog")).to_be_focused()
    app.get_by_role("button", name="Back").click()
    expect(catalog).to_be_in_viewport()
    steps.eventually(app, f"() => Math.abs(scrollY - {left}) < 2")
    app.get_by_role("button", name="Back").click()
    expect(app).to_have_url(re.compile("#/settings$"))


@pytest.mark.parametrize("address, heading", [("reading/providers", "Book data providers"), ("server/tokens", "Access tokens"), ("account/look", "Appearance")])
def test_a_link_leads_to_a_part_of_a_page(app, address, heading):
    app.set_viewport_size({**app.viewport_size, "height": 300})
    app.open(f"/settings/{address}")
    part = app.get_by_role("heading", level=2, name=heading)
    expect(part).to_be_focused()
    expect(part).to_be_in_viewport(ratio=1)  # at the top, unless it is at the end of the page


@pytest.mark.sizes("phone")
def test_addresses_of_before_still_lead_to_the_settings(app):
    app.open("/settings/devices")
    expect(app).to_have_url(re.compile("#/settings$"))
    expect(app.get_by_role("heading", level=1, name="Settings")).to_be_visible()
    app.open("/settings/catalog")
    expect(app.get_by_role("heading", level=1, name="Catalog")).to_be_visible()
    app.reload()
    app.get_by_role("button", name="Back").click()
    expect(app).to_have_url(re.compile("#/settings/reading$"))


def test_the_list_stays_beside_a_page_where_there_is_room(app, size):
    open_page(app, "Library and backups")
    current = app.locator(".settings-list a[aria-current=page]")
    expect(current).to_contain_text("Library and backups")
    assert current.is_visible() == (size["viewport"]["width"] >= 1100)


@pytest.mark.sizes("phone")
def test_the_app_says_how_a_backup_is_restored(app):
    open_page(app, "Library and backups")
    app.get_by_role("button", name="Restore").click()
    sheet = app.get_by_role("dialog", name="Restore a backup")
    expect(sheet.get_by_role("listitem")).to_have_count(3)
    expect(sheet.locator(".secret")).to_have_text("shelflist restore BACKUP --data FOLDER --replace")
    expect(sheet).to_contain_text("replaces the whole library")
    assert steps.outside(app) == []
