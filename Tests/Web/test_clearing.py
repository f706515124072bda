"""Nine books leave the queue by thumb, each as it should."""
import clearing
import pytest
import steps
from conftest import ALL, poor_photo

pytestmark = [pytest.mark.sizes("phone")]


def test_nine_books_leave_the_queue_as_they_should(app, server):
    steps.review_more(app)
    steps.read_shelf(app, poor_photo())
    steps.add_all_to(app)
    # The records come after the reading: what was misread has to be put right by the person.
    server.give_catalog(ALL)
    app.open("/review")
    before = len(clearing.queue(app))
    assert before >= 9
    done, _ = clearing.clear(app, 9)
    assert {"typed", "match"} < {d["how"] for d in done}  # a mixture, and not of these alone
    assert len(clearing.queue(app)) == before - 9
    for decision in done:
        if decision["how"] == "not a book":
            assert server.send("GET", f"/api/v1/library/{decision['entry']}")[0] == 404, decision
            continue
        book = server.call("GET", f"/library/{decision['entry']}")
        now = [book["title"], ", ".join(book["authors"])]
        if decision["how"] in ("typed", "match"):
            assert [*now, book["reviewStatus"]] == [*decision["truth"], "userEdited"], decision
        else:  # agreed to: the right book, as it was read
            assert list(map(clearing.plain, now)) == list(map(clearing.plain, decision["truth"])), decision
            assert book["reviewStatus"] == "verified", decision
    assert app.refused == []
