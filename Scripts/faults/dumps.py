"""A server of dumps for the download of a catalog."""
import gzip
import http.server
import json
import threading


class Dumps:
    """A server of small dumps of Open Library, as the download of a catalog asks for them."""

    def __init__(self, books=300):
        stamp = "\t1\t2026-01-01T00:00:00\t"
        lines = {"editions": "", "works": "", "authors": f"/type/author\t/authors/OL1A{stamp}{{\"name\": \"Ann Author\"}}\n"}
        for number in range(1, books + 1):
            title = f"Downloaded book {number}"
            work = {"title": title, "authors": [{"author": {"key": "/authors/OL1A"}}]}
            edition = {"title": title, "works": [{"key": f"/works/OL{number}W"}], "authors": [{"key": "/authors/OL1A"}]}
            lines["works"] += f"/type/work\t/works/OL{number}W{stamp}{json.dumps(work)}\n"
            lines["editions"] += f"/type/edition\t/books/OL{number}M{stamp}{json.dumps(edition)}\n"
        files = {name: gzip.compress(text.encode(), mtime=0) for name, text in lines.items()}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                file = next(file for name, file in files.items() if name in self.path)
                start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
                self.send_response(206 if "Range" in self.headers else 200)
                if "Range" in self.headers:
                    self.send_header("Content-Range", f"bytes {start}-{len(file) - 1}/{len(file)}")
                self.send_header("Content-Type", "application/octet-stream")
                self.send_header("Content-Length", str(len(file) - start))
                self.send_header("ETag", '"first"')
                self.end_headers()
                return file[start:]

            def do_HEAD(self):
                self.answer()

            def do_GET(self):
                try:
                    self.wfile.write(self.answer())
                except OSError:
                    pass  # The server that downloaded was killed.

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/data/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
