#!/usr/bin/env python3
"""Measures the server on this machine, with the standard library alone.

usage: serve.py [--photos 20] [--idle 500] [--program .build/release/shelflist]

Prints: photos a minute through the API against the reader's own seconds; p95 of /health, library and search while
photos are being read; memory that idle event streams add; time from the upload's end to the first event.
"""
import argparse
import http.client
import json
import pathlib
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import uuid


def memory(pid):
    """Resident memory in MB."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


class Server:
    def __init__(self, program, data):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--data", data, "--requests-per-minute", "100000",
             "--jobs-per-client", "1000", "--log-level", "warning"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if line.startswith("Shelflist is at"):
                self.port = int(line.rsplit(":", 1)[1])
                break
        threading.Thread(target=lambda pipe: [None for _ in pipe], args=(self.process.stderr,), daemon=True).start()

    def request(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return json.loads(data) if data else None

    def upload(self, photo):
        boundary = uuid.uuid4().hex
        body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n".encode()
                + photo + f"\r\n--{boundary}--\r\n".encode())
        return self.request("POST", "/api/v1/scans", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def wait(self, job):
        while not (state := self.request("GET", f"/api/v1/scans/{job}"))["finishedAt"]:
            time.sleep(0.05)
        return state


def p95(values):
    return sorted(values)[int(len(values) * 0.95)] * 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--idle", type=int, default=500)
    parser.add_argument("--program", default=".build/release/shelflist")
    options = parser.parse_args()
    photo = pathlib.Path("Examples/shelf.jpg").read_bytes()
    with tempfile.TemporaryDirectory() as data:
        server = Server(options.program, data)
        try:
            server.wait(server.upload(photo)["jobId"])  # warm

            first = []
            for _ in range(5):
                accepted = server.upload(photo)
                start = time.monotonic()
                stream = socket.create_connection(("127.0.0.1", server.port))
                stream.sendall(
                    f"GET /api/v1/scans/{accepted['jobId']}/events HTTP/1.1\r\nHost: localhost\r\n"
                    "Accept: text/event-stream\r\n\r\n".encode())
                text = b""
                while b"event: progress" not in text:
                    text += stream.recv(65536)
                first.append(time.monotonic() - start)
                stream.close()
                server.wait(accepted["jobId"])
            print(f"first event after the upload: median {statistics.median(first) * 1000:.0f} ms")

            start = time.monotonic()
            jobs = [server.upload(photo)["jobId"] for _ in range(options.photos)]
            latencies = {"/health": [], "/api/v1/library?limit=50": [], "/api/v1/search?q=dune": []}
            while server.request("GET", f"/api/v1/scans/{jobs[-1]}")["finishedAt"] is None:
                for path, values in latencies.items():
                    before = time.monotonic()
                    server.request("GET", path)
                    values.append(time.monotonic() - before)
            for job in jobs:
                server.wait(job)
            wall = time.monotonic() - start
            reading = sum(
                photo["seconds"] for job in jobs
                for photo in server.request("GET", f"/api/v1/scans/{job}/results")["photos"])
            print(f"{options.photos} photos in {wall:.1f} s, {60 * options.photos / wall:.1f} a minute; "
                  f"the reader's own time is {reading / wall:.3f} of it")
            for path, values in latencies.items():
                print(f"p95 of {path} while photos are read: {p95(values):.0f} ms (median of {len(values)} "
                      f"{statistics.median(values) * 1000:.0f} ms)")

            accepted = server.request(
                "POST", "/api/v1/scans", b"--b\r\nContent-Disposition: form-data; name=\"expected\"\r\n\r\n1\r\n--b--",
                {"Content-Type": "multipart/form-data; boundary=b"})
            before = memory(server.process.pid)
            idle = []
            for _ in range(options.idle):
                stream = socket.create_connection(("127.0.0.1", server.port))
                stream.sendall(
                    f"GET /api/v1/scans/{accepted['jobId']}/events HTTP/1.1\r\nHost: localhost\r\n"
                    "Accept: text/event-stream\r\n\r\n".encode())
                stream.recv(1)
                idle.append(stream)
            time.sleep(2)
            print(f"{options.idle} idle streams: {memory(server.process.pid) - before:.0f} MB more "
                  f"({before:.0f} MB before)")
        finally:
            server.process.terminate()
            server.process.wait(20)


if __name__ == "__main__":
    main()
