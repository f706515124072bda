"""SwiftWing: the whole way of the app, written from docs/api/compatibility.md alone."""
import base64
import http.client
import json
import unittest
import urllib.parse
import uuid

from server import PHOTO, AppTest, connect, request

BOOKS = 23  # of the 26 that the example shows
LAST = {"completed", "error", "canceled"}


def form(*photos):
    parts = b"".join(
        b'--b\r\nContent-Disposition: form-data; name="photos[]"; filename="spine.jpg"\r\n'
        b"Content-Type: image/jpeg\r\n\r\n" + photo + b"\r\n" for photo in photos)
    return parts + b"--b--\r\n"


class Stream:
    """An open event stream, read line by line as the app does."""

    def __init__(self, address, headers):
        parts = urllib.parse.urlsplit(address)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port)
        self.connection.request("GET", parts.path, headers={"Accept": "text/event-stream", **headers})
        self.answer = self.connection.getresponse()
        self.last = None

    def __iter__(self):
        """Yields (event, data) until the server ends the stream."""
        event = data = name = None
        while line := self.answer.readline():
            line = line.decode().rstrip("\r\n")
            if line.startswith("event:"):
                event = line[6:].strip()
            elif line.startswith("data:"):
                data = line[5:].strip()
            elif line.startswith("id:"):
                name = line[3:].strip()
            elif not line:
                if event and data:
                    self.last = name or self.last
                    yield event, json.loads(data)
                event = data = name = None
        self.close()

    def until(self, *wanted):
        """Returns the events up to the first of the wanted ones."""
        events = []
        for event in self:
            events.append(event)
            if event[0] in wanted:
                return events
        raise AssertionError(f"the stream ended without {wanted}: {[event for event, _ in events]}")

    def close(self):
        self.answer.close()
        self.connection.close()


class App:
    """One version of the app: the first only reads the stream, the third also what `completed` names."""

    def __init__(self, base, version=3):
        self.base, self.version, self.device = base, version, str(uuid.uuid4())
        self.books = []

    def headers(self, token=None):
        device = str(uuid.uuid4()) if self.version == 1 else self.device
        return {"X-Device-ID": device, **({"Authorization": f"Bearer {token}"} if token else {})}

    def upload(self, *photos):
        return request(
            "POST", f"{self.base}/v3/jobs/scans", form(*photos), "multipart/form-data; boundary=b", **self.headers())

    def open(self, scan, last=None):
        headers = self.headers(scan["authToken"])
        if last:
            headers["Last-Event-ID"] = last
        return Stream(scan["sseUrl"], headers)

    def get(self, address, scan):
        return request("GET", address, **self.headers(scan["authToken"]))

    def clean_up(self, scan):
        return request(
            "DELETE", f"{self.base}/v3/jobs/scans/{scan['jobId']}/cleanup", **self.headers(scan["authToken"]))

    def take(self, events, scan):
        """Adds what the version adds to its list."""
        for event, data in events:
            if event == "result":
                self.books.append(data)
            elif event == "completed" and self.version == 3:
                self.books += data.get("books") or self.results(data["resultsUrl"], scan)

    def results(self, address, scan):
        answer = self.get(address + ("&" if "?" in address else "?") + "format=lite", scan)
        assert answer.status == 200 and answer.json["success"] is True
        return answer.json["data"]["results"]


class SwiftWing(AppTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = connect(cls.server, "SwiftWing")

    def scan(self, app, *photos):
        """Uploads photos."""
        answer = app.upload(*photos)
        self.assertEqual((answer.status, answer.json["success"]), (202, True))
        scan = answer.json["data"]
        self.assertEqual(scan["status"], "initialized")
        for address in ("sseUrl", "statusUrl", "resultsUrl"):
            self.assertTrue(scan[address].startswith(app.base), scan[address])
        return scan

    def check_books(self, books):
        self.assertGreaterEqual(len(books), BOOKS)
        for book in books:
            self.assertTrue(book["title"])
            self.assertIsInstance(book["author"], str)
            self.assertTrue(0 <= book["confidence"] <= 1)
            self.assertIn(book.get("enrichmentStatus", "pending"), {"pending", "success", "not_found", "error"})
        self.assertIn("Emma", [book["title"] for book in books])

    def status(self, app, scan):
        answer = app.get(scan["statusUrl"], scan)
        self.assertEqual(answer.status, 200)
        self.assertIn(answer.json["data"]["status"], {"initialized", "processing", "completed", "failed", "canceled"})
        return answer.json["data"]["status"]

    def wait(self, app, scan):
        """Polls until the scan has ended."""
        while (status := self.status(app, scan)) in {"initialized", "processing"}:
            pass
        return status


class Scans(SwiftWing):
    def test_a_photo_with_the_first_and_the_third_version(self):
        for version in (1, 3):
            app = App(self.base, version)
            scan = self.scan(app, PHOTO)
            stream = app.open(scan)
            events = stream.until(*LAST)
            app.take(events, scan)
            kinds = [event for event, _ in events]
            self.assertEqual(kinds[-1], "completed")
            self.assertLessEqual(
                set(kinds), {"progress", "segmented", "book_progress", "result", "completed"}, "known to all versions")
            self.check_books(app.books)
            self.assertEqual(len(app.books), kinds.count("result"), "each book once")
            self.assertLess(kinds.index("segmented"), kinds.index("book_progress"))
            reading = [data for event, data in events if event == "book_progress" and data["stage"] == "reading"]
            self.assertTrue(reading, "progress while the photo is read")
            self.assertTrue(all(data["current"] <= data["total"] for data in reading))
            picture = next(data for event, data in events if event == "segmented")
            self.assertEqual(base64.b64decode(picture["image"])[:2], b"\xff\xd8")
            self.assertGreater(picture["totalBooks"], 0)
            for _ in range(2):
                self.assertEqual(app.clean_up(scan).status, 200)
            stream.close()

    def test_five_photos_at_once(self):
        app = App(self.base)
        scans = [self.scan(app, PHOTO) for _ in range(5)]
        streams = [app.open(scan) for scan in scans]
        for scan, stream in zip(scans, streams):
            before = len(app.books)
            app.take(stream.until(*LAST), scan)
            self.check_books(app.books[before:])
            stream.close()

    def test_five_photos_in_one_scan_list_each_book_once(self):
        app = App(self.base)
        scan = self.scan(app, *[PHOTO] * 5)
        stream = app.open(scan)
        app.take(stream.until(*LAST), scan)
        stream.close()
        self.check_books(app.books)
        self.assertLess(len(app.books), 2 * BOOKS)

    def test_a_cut_stream_is_continued_or_replaced_by_polling(self):
        self.hold()
        app = App(self.base)
        scan = self.scan(app, PHOTO)
        cut = app.open(scan)
        app.take(cut.until("segmented"), scan)
        cut.close()
        self.release()
        polled = App(self.base)
        self.assertEqual(self.wait(polled, scan), "completed")
        polled.books = polled.results(scan["resultsUrl"], scan)
        self.check_books(polled.books)
        rest = app.open(scan, cut.last)
        app.take(rest.until(*LAST), scan)
        rest.close()
        self.assertEqual(
            sorted(book["title"] for book in app.books), sorted(book["title"] for book in polled.books))

    def test_cancelling_in_the_middle(self):
        self.hold()
        app = App(self.base)
        scan = self.scan(app, PHOTO, PHOTO, PHOTO)
        stream = app.open(scan)
        stream.until("segmented")
        self.assertEqual(app.clean_up(scan).status, 200)
        self.assertEqual(stream.until(*LAST)[-1][0], "canceled")
        stream.close()
        self.assertEqual(self.status(app, scan), "canceled")

    def test_a_restart_of_the_server_loses_no_scan(self):
        self.hold()
        app = App(self.base)
        scan = self.scan(app, PHOTO)
        stream = app.open(scan)
        stream.until("segmented")
        self.server.terminate()
        last, problem = stream.until(*LAST)[-1]
        stream.close()
        self.server.stop()
        self.assertEqual((last, problem["retryable"]), ("error", False), "the app offers to repeat the scan")
        self.assertTrue(problem["message"])
        self.server.start()
        # The app cannot know that the scan continues; a client that polls does.
        self.assertEqual(self.wait(app, scan), "completed")
        self.check_books(app.results(scan["resultsUrl"], scan))

    def test_retrying_after_three_failures(self):
        app = App(self.base)
        scan = self.scan(app, PHOTO)
        for _ in range(3):
            refused = Stream(scan["sseUrl"].replace(scan["jobId"], str(uuid.uuid4())), app.headers(scan["authToken"]))
            self.assertEqual(refused.answer.status, 404)
            refused.close()
        self.assertEqual(app.clean_up(scan).status, 200)
        again = self.scan(app, PHOTO)
        stream = app.open(again)
        app.take(stream.until(*LAST), again)
        stream.close()
        self.check_books(app.books)

    def test_a_photo_that_cannot_be_read(self):
        app = App(self.base)
        scan = self.scan(app, PHOTO[:50_000])
        stream = app.open(scan)
        last, problem = stream.until(*LAST)[-1]
        stream.close()
        self.assertEqual((last, problem["jobId"], problem["retryable"]), ("error", scan["jobId"], False))
        self.assertTrue(problem["message"] and problem["code"])
        self.assertEqual(self.wait(app, scan), "failed")

    def test_a_wrong_address_is_refused(self):
        answer = App(f"{self.base[:-4]}0000").upload(PHOTO)
        self.assertEqual((answer.status, answer.json["success"]), (403, False))
        self.assertTrue(answer.json["detail"])


class Limits(SwiftWing):
    options = ("--requests-per-minute", "1")

    def test_too_many_scans_are_refused_with_the_time_to_wait(self):
        app = App(self.base)
        scan = self.scan(app, PHOTO)
        answer = app.upload(PHOTO)
        self.assertEqual(answer.status, 429)
        problem = answer.json
        self.assertEqual((problem["success"], problem["status"], problem["retryable"]), (False, 429, True))
        for field in ("type", "title", "detail", "code"):
            self.assertIsInstance(problem[field], str)
        self.assertGreater(problem["retryAfterMs"], 0)
        self.assertGreater(float(answer.headers["Retry-After"]), 0)
        stream = app.open(scan)
        self.assertEqual(stream.until(*LAST)[-1][0], "completed", "the first scan is not affected")
        stream.close()


if __name__ == "__main__":
    unittest.main()
