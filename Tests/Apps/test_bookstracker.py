"""BooksTracker: the whole way of the app, written from docs/api/compatibility.md alone."""
import base64
import itertools
import socket
import time
import unittest
import urllib.parse
import uuid

from server import IS_REAL, PHOTO, AppTest, connect, request, socket_address
from websocket import Closed, WebSocket

BOOKS = 23  # of the 26 that the example shows


class BooksTracker(AppTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.base = connect(cls.server, "BooksTracker")

    # What the app does

    def job(self):
        return str(uuid.uuid4()).upper()

    def upload(self, job, photo=PHOTO):
        return request("POST", f"{self.base}/api/scan-bookshelf?jobId={job}", photo, "image/jpeg")

    def upload_batch(self, job, count):
        data = base64.b64encode(PHOTO).decode()
        images = [{"index": index, "data": data} for index in range(count)]
        return request("POST", f"{self.base}/api/scan-bookshelf/batch", {"jobId": job, "images": images})

    def socket(self, job, token=None, reconnects=False):
        address = f"{socket_address(self.base)}/ws/progress?jobId={job}" + ("&reconnect=true" if reconnects else "")
        opened = WebSocket(address, token and f"bookstrack-auth.{token}")
        self.addCleanup(opened.cut)
        return opened

    def say_ready(self, opened):
        opened.send('{"type":"ready","timestamp":1}')
        self.assertEqual(opened.message()["type"], "ready_ack")

    def status(self, job):
        return request("GET", f"{self.base}/scan/status/{job}").json

    def poll(self, job, until):
        """Polls as the app does, but without pauses."""
        return next(filter(until, map(self.status, itertools.repeat(job))))

    def results(self, resource):
        job = resource.replace("job-results:", "")
        return request("GET", f"{self.base}/v1/jobs/{job}/results")

    def check_books(self, result):
        self.assertGreaterEqual(result["totalDetected"], BOOKS)
        self.assertEqual(len(result["books"]), result["totalDetected"])
        self.assertEqual(result["approved"] + result["needsReview"], result["totalDetected"])
        for book in result["books"]:
            self.assertIsInstance(book["title"] + book["author"], str)
            box = book["boundingBox"]
            self.assertTrue(0 <= box["x1"] < box["x2"] <= 1 and 0 <= box["y1"] < box["y2"] <= 1, box)
            self.assertAlmostEqual(box["x"] + box["width"], box["x2"])

    # One photo

    def test_a_photo_with_the_app_of_october(self):
        job = self.job()
        opened = self.socket(job)
        for _ in range(5):
            opened.send("PING")
        self.assertEqual([opened.text() for _ in range(5)], ["PONG"] * 5)
        self.say_ready(opened)
        answer = self.upload(job)
        self.assertEqual(answer.status, 202)
        self.assertEqual(answer.json["jobId"], job)
        self.assertTrue(answer.json["stages"] and len(answer.json["estimatedRange"]) == 2)
        bar = []
        for message in opened.messages("job_complete"):
            data = message.get("data")
            if data is None or data.get("keepAlive"):
                continue
            bar.append(data["processedItems"] / data["totalItems"])
            self.assertNotIn("error", data["currentStatus"].lower())
            self.assertEqual("complete" in data["currentStatus"].lower(), "result" in data)
        self.assertEqual(bar, sorted(bar))
        self.assertEqual((bar[0], bar[-1]), (0.1, 1))
        self.check_books(data["result"])
        opened.close()

    def test_a_photo_with_the_app_of_november(self):
        job = self.job()
        answer = self.upload(job).json
        opened = self.socket(job, answer["authToken"])
        self.say_ready(opened)
        for message in opened.messages("job_complete"):
            self.assertEqual(message["payload"]["type"], message["type"])
        results = self.results(message["payload"]["summary"]["resourceId"])
        self.assertEqual(results.status, 200)
        self.check_books(results.json["data"])
        opened.send("PING")
        self.assertEqual(opened.text(), "PONG", "the server leaves the socket open")
        opened.close()
        again = self.upload(job)
        self.assertEqual((again.status, again.json["jobId"]), (202, job), "the same upload is the same job")

    def test_an_empty_photo_is_refused(self):
        answer = self.upload(self.job(), b"")
        self.assertEqual(answer.status, 415)
        self.assertFalse(answer.json["success"])
        self.assertTrue(answer.json["error"]["message"] and answer.json["metadata"]["timestamp"])

    def test_a_photo_that_cannot_be_read_ends_with_an_error(self):
        job = self.job()
        self.assertEqual(self.upload(job, PHOTO[:50_000]).status, 202)
        self.poll(job, lambda status: "error" in status)
        opened = self.socket(job)
        self.say_ready(opened)
        *_, last = opened.messages("error", "job_complete")
        self.assertEqual((last["type"], last["payload"]["retryable"]), ("error", False))
        self.assertIn("error", last["data"]["currentStatus"].lower())
        self.assertTrue(self.status(job)["error"])

    # Five photos

    def test_a_batch_of_five(self):
        job = self.job()
        answer = self.upload_batch(job, 5)
        self.assertEqual((answer.status, answer.json["jobId"], answer.json["totalPhotos"]), (202, job, 5))
        seen, totals = {}, []
        for message in self.socket(job).messages("batch-complete"):
            if message["type"] == "batch-progress":
                for field, value in message["payload"].items():
                    self.assertEqual(message[field], value, "in both places")
                totals.append(message["totalBooksFound"])
                for photo in message["photos"]:
                    seen.setdefault(photo["index"], []).append(photo["status"])
        self.assertEqual(sorted(seen), list(range(5)))
        for words in seen.values():
            self.assertEqual(list(dict.fromkeys(words)), ["queued", "processing", "complete"])
        self.assertEqual(totals, sorted(totals))
        self.assertEqual([photo["status"] for photo in message["photoResults"]], ["complete"] * 5)
        self.assertGreaterEqual(message["totalBooks"], BOOKS)
        self.assertLess(message["totalBooks"], 2 * BOOKS, "the five show the same books")

    def test_a_batch_is_cancelled_in_the_middle(self):
        job = self.job()
        self.hold()
        self.upload_batch(job, 5)
        opened = self.socket(job)
        for message in opened.messages():
            if message["type"] == "batch-progress" and "processing" in message["photoStatus"]:
                break
        answer = request("POST", f"{self.base}/api/scan-bookshelf/cancel", {"jobId": job})
        self.assertEqual(answer.status, 200)
        types = [message["type"] for message in opened.messages("error")]
        self.assertEqual(types[-3:], ["batch-canceling", "batch-complete", "error"])
        self.assertEqual(self.status(job)["status"], "canceled")

    # A bad network

    def test_a_cut_socket_is_replaced_by_polling(self):
        job = self.job()
        self.hold()
        self.upload(job)
        opened = self.socket(job)
        self.say_ready(opened)
        opened.message()
        opened.cut()
        self.release()
        status = self.poll(job, lambda status: "result" in status or "error" in status)
        self.assertEqual((status["stage"], status["status"]), ("complete", "complete"))
        self.check_books(status["result"])

    def test_a_server_restart_in_the_middle(self):
        job = self.job()
        self.hold()
        self.upload_batch(job, 2)
        opened = self.socket(job)
        for message in opened.messages():
            if message["type"] == "batch-progress" and message["photoStatus"] == "processing":
                break
        self.server.terminate()
        with self.assertRaises(Closed) as end:
            while True:
                opened.message()
        self.assertEqual(end.exception.code, 1012, "the app does not reconnect after 1000 and 1001")
        self.server.stop()
        self.server.start()
        messages = list(self.socket(job, reconnects=True).messages("job_complete"))
        self.assertEqual(messages[0]["type"], "reconnected")
        self.assertGreaterEqual(messages[-1]["payload"]["totalDetected"], BOOKS)

    def test_an_upload_works_after_three_failures(self):
        job = self.job()
        parts = urllib.parse.urlsplit(self.base)
        head = (f"POST {parts.path}/api/scan-bookshelf?jobId={job} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
                f"Content-Type: image/jpeg\r\nContent-Length: {len(PHOTO)}\r\n\r\n").encode()
        for sent in (0, len(PHOTO) // 2, len(PHOTO) - 1):
            with socket.create_connection((parts.hostname, parts.port)) as stream:
                stream.sendall(head + PHOTO[:sent])
        self.assertEqual(request("GET", f"{self.base}/scan/status/{job}").status, 404, "nothing was accepted")
        self.assertEqual(self.upload(job).status, 202)
        self.assertEqual(self.poll(job, lambda status: "result" in status)["jobId"], job)

    # The rest

    def test_search_and_feedback(self):
        found = request("GET", f"{self.base}/search/advanced?title=Emma&author=Austen&maxResults=5").json
        self.assertEqual(found["items"][0]["volumeInfo"]["title"], found["data"]["works"][0]["title"])
        self.assertEqual(len(found["data"]["works"]), len(found["data"]["editions"]))
        job = self.job()
        self.upload(job)
        book = self.poll(job, lambda status: "result" in status)["result"]["books"][0]
        sent = request("POST", f"{self.base}/feedback", {"detectionId": book["detectionId"], "correct": False})
        self.assertEqual((sent.status, sent.json["success"]), (200, True))

    def test_a_job_that_does_not_exist_has_expired(self):
        answer = self.results(f"job-results:{self.job()}")
        self.assertEqual((answer.status, answer.json["success"]), (404, False))


class RateLimit(AppTest):
    options = ("--requests-per-minute", "60")

    def test_the_app_learns_when_to_upload_again(self):
        address = connect(self.server, "BooksTracker") + "/api/scan-bookshelf"
        for _ in range(200):
            answer = request("POST", address, b"", "image/jpeg")
            if answer.status == 429:
                break
        self.assertEqual(answer.status, 429)
        wait = answer.json["error"]["details"]["retryAfter"]
        self.assertEqual((int(answer.headers["Retry-After"]), answer.json["error"]["code"]), (wait, "RATE_LIMITED"))
        self.assertLessEqual(wait, 1)
        if IS_REAL:
            time.sleep(wait)  # allowed: the limit of the real program
        else:
            self.server.advance(wait)
        self.assertEqual(request("POST", address, PHOTO, "image/jpeg").status, 202)


if __name__ == "__main__":
    unittest.main()
