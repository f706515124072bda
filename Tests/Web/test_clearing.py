"""Ten books leave the queue by thumb, against the real server with the real reader, each as it should."""
import clearing
import conftest
import pytest
import standin
import steps

pytestmark = [pytest.mark.limit(600), pytest.mark.sizes("phone")]


def test_ten_books_leave_the_queue_as_they_should(real_app, real):
    steps.review_more(real_app)
    steps.read_shelf(real_app, conftest.poor_photo())
    steps.add_all_to(real_app)
    # The records come after the reading: what was misread has to be put right by the person.
    real.give_catalog([(b["title"], b["author"], b["isbn"]) for b in standin.TRUTH["books"]])
    real_app.open("/review")
    before = len(clearing.queue(real_app))
    assert before >= 10
    done, _ = clearing.clear(real_app, 10)
    assert {"typed", "match"} < {d["how"] for d in done}  # a mixture, and not of these alone
    assert len(clearing.queue(real_app)) == before - 10
    for decision in done:
        status, book = real_app.evaluate("(id) => fetch('/api/v1/library/' + id).then(async (r) => [r.status, await r.json()])", decision["entry"])
        if decision["how"] == "not a book":
            assert status == 404, decision
            continue
        now = [book["title"], ", ".join(book["authors"])]
        if decision["how"] in ("typed", "match"):
            assert [*now, book["reviewStatus"]] == [*decision["truth"], "userEdited"], decision
        else:  # agreed to: the right book, as it was read
            assert list(map(clearing.plain, now)) == list(map(clearing.plain, decision["truth"])), decision
            assert book["reviewStatus"] == "verified", decision
    assert [t for t in real_app.errors if not t.startswith("404")] == []
