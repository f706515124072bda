#!/usr/bin/env python3
"""Fills a new server with one of everything, for Scripts/check_api.sh: the owner, a scanned photo, a shelf, books.

usage: seed_api.py ADDRESS PHOTO CONFIGURATION

Writes a configuration for schemathesis that names what was made, and prints the owner's session cookie.
"""
import http.cookiejar
import json
import pathlib
import sys
import time
import urllib.request


def main():
    address, photo, configuration = sys.argv[1:]
    cookies = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))

    def call(method, path, body=None, kind="application/json"):
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{address}/api/v1{path}", data, {"Content-Type": kind}, method=method)
        with opener.open(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    call("POST", "/setup", {"name": "Ada", "password": "correct horse", "role": "owner"})
    member = call("POST", "/members", {"name": "Bea", "password": "a long password", "role": "viewer"})
    token = call("POST", "/tokens", {"name": "script", "scopes": ["read"]})
    shelf = call("POST", "/shelves", {"name": "Hall"})
    form = (b"--b\r\nContent-Disposition: form-data; name=\"import\"\r\n\r\ntrue\r\n"
            b"--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n"
            + pathlib.Path(photo).read_bytes() + b"\r\n--b--\r\n")
    job = call("POST", "/scans", form, "multipart/form-data; boundary=b")["jobId"]
    while not call("GET", f"/scans/{job}")["finishedAt"]:
        time.sleep(0.2)
    found = call("GET", f"/scans/{job}/results")["books"]
    entry = call("GET", "/library")["items"][0]
    review = call("GET", "/review")["items"]
    listing = call("POST", "/imports", "title,author\nDune,Frank Herbert\n".encode(), "text/csv")
    known = {
        "jobId": job, "n": 1, "bookId": found[0]["id"], "entryId": entry["id"], "workId": entry["workId"],
        "shelfId": shelf["id"], "importId": listing["id"], "memberId": member["id"], "tokenId": token["token"]["id"],
        "detectionId": review[0]["id"] if review else "1", "photoId": "1",
    }
    # Two runs: with what there is, and with whatever the tool thinks of.
    lines = ["[parameters]"] + [f"{json.dumps('path.' + name)} = {json.dumps(value)}" for name, value in known.items()]
    pathlib.Path(configuration).write_text("\n".join(lines) + "\n")
    print("; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies))


if __name__ == "__main__":
    main()
