"""A random walk of 2,000 taps over all screens: overlapping controls, cut words, lost texts, errors, dead ends.

Runs only with --walk (Scripts/web/test.sh walk, or --all). --seed and --taps choose another walk; a failure prints the seed
and the last taps before each finding.
"""
import pytest
from conftest import DESKTOP, PHONE, other_page, watched
from walking import Walk, furnish, routes

pytestmark = [pytest.mark.walk, pytest.mark.scripted]
WINDOWS = {"phone": PHONE, "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True}, "desktop": DESKTOP}
LANGUAGES = ["en-GB", "de-DE"]
# Each window in each language is walked in so many parts, so that several processes share the work.
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.books(40)
def test_nothing_is_wrong_on_a_random_walk(browser, server, request, window, language, part):
    taps = request.config.getoption("--taps") // (PARTS * len(WINDOWS) * len(LANGUAGES)) + 1
    seed = f"{request.config.getoption('--seed')} {window} {language} {part}"
    hall, book = furnish(server)
    options = {"locale": language, "permissions": ["camera"], "service_workers": "block"}
    with other_page(browser, server, WINDOWS[window], **options) as page:
        starts = routes(server, hall, book)
        # Each part begins at other screens.
        first = part * len(starts) // PARTS
        walk = Walk(watched(page, server), starts[first:] + starts[:first], seed)
        walk.walk(taps)
    print(f"Seed {seed}: {walk.taps} taps on {len(walk.visits)} controls, {len(walk.findings)} findings.")
    for what, path in walk.findings.items():
        print(f"- {what}\n  after {' > '.join(path)}")
    assert walk.findings == {}, f"seed {seed}"
