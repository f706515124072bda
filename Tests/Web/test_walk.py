"""A random walk of 2,000 taps over all screens: overlapping controls, cut words, lost texts, errors, dead ends.

Runs only with --walk (Scripts/web/test.sh walk, or --all). --seed and --taps choose another walk; a failure prints the seed
and the last taps before each finding.
"""
import pytest
from conftest import DESKTOP, PASSWORD, PHONE, other_page, watched
from walking import Walk, furnish, routes

pytestmark = [pytest.mark.walk, pytest.mark.scripted]
WINDOWS = {"phone": PHONE, "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True}, "desktop": DESKTOP}
LANGUAGES = ["en-GB", "de-DE"]
# Each window in each language is walked in so many parts, so that several processes share the work: as the owner, and as a
# member who may only read.
PARTS = [("owner", 0), ("owner", 1), ("owner", 2), ("owner", 3), ("viewer", 0)]


@pytest.mark.parametrize("role, part", PARTS, ids=[f"{role}-{part}" for role, part in PARTS])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.books(40)
def test_nothing_is_wrong_on_a_random_walk(browser, server, request, window, language, role, part):
    taps = request.config.getoption("--taps") // (len(PARTS) * len(WINDOWS) * len(LANGUAGES)) + 1
    seed = f"{request.config.getoption('--seed')} {window} {language} {role} {part}"
    hall, book = furnish(server)
    starts = routes(server, hall, book)
    if role != "owner":
        server.cookie = add_member(server, role)
    options = {"locale": language, "permissions": ["camera"], "service_workers": "block"}
    with other_page(browser, server, WINDOWS[window], **options) as page:
        # Each part begins at other screens.
        first = part * len(starts) // len(PARTS)
        walk = Walk(watched(page, server), starts[first:] + starts[:first], seed)
        walk.walk(taps)
    print(f"Seed {seed}: {walk.taps} taps on {len(walk.visits)} controls, {len(walk.findings)} findings.")
    for what, path in walk.findings.items():
        print(f"- {what}\n  after {' > '.join(path)}")
    assert walk.findings == {}, f"seed {seed}"


def add_member(server, role):
    """Returns the cookie of a new member."""
    member = {"name": "Vera", "password": PASSWORD}
    server.call("POST", "/members", {**member, "role": role})
    _, headers, _ = server.send("POST", "/api/v1/session", member, Cookie="")
    return headers["set-cookie"].split(";")[0]
