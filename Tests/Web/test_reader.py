"""Who reads photos, in the settings."""
from playwright.sync_api import expect


def gemini(server):
    return next(reader for reader in server.call("GET", "/settings")["readers"] if reader["id"] == "gemini")


def test_nothing_is_chosen_without_consent_and_key(app, server):
    if not server.is_real:
        server.restart(SHELFLIST_GEMINI_URL="")  # its own address, which needs a key
    app.open("/settings/reading/reader")
    who = app.get_by_label("Who reads photos")
    expect(who).to_have_value("local")
    who.select_option("gemini")
    sheet = app.locator("dialog[open]")
    expect(sheet).to_contain_text(f"Gemini ({gemini(server)['host']}) will receive:")
    expect(sheet).to_contain_text("only these spines, in one picture a photo")
    app.keyboard.press("Escape")
    expect(who).to_have_value("local")
    assert not any(reader["agreed"] for reader in server.call("GET", "/settings")["readers"])

    who.select_option("gemini")
    sheet.get_by_label("Key").fill("s3cret")
    sheet.get_by_role("button", name="Agree").click()
    expect(who).to_have_value("gemini")
    expect(app.get_by_text("Gemini receives each photo.")).to_be_visible()
    assert gemini(server)["hasKey"] and gemini(server)["agreed"]
    assert "s3cret" not in app.content()

    app.get_by_label("May receive pictures: Gemini").click()
    expect(app.get_by_text("The model is not asked: consent or key is missing.")).to_be_visible()
