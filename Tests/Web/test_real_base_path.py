"""The app below a path, behind nginx as Debian packages it."""
import getpass
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest
import steps
from conftest import NAME, PASSWORD, SHELF
from playwright.sync_api import expect
from ports import Port

pytestmark = [pytest.mark.sizes("desktop")]

# What docs/proxies.md shows, and what nginx needs to run as an ordinary process of this user in a folder of its own.
CONFIGURATION = """
daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        client_max_body_size 128m;
        location /books {{
            proxy_pass http://127.0.0.1:{server};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $http_connection;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Host $http_host;
            proxy_request_buffering off;
            proxy_buffering off;
        }}
        location / {{
            default_type text/html;
            return 200 "<title>Another program</title>";
        }}
    }}
}}
"""


@pytest.fixture
def books(kind, tmp_path):
    """A server without an owner below /books of nginx."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    server = kind(tmp_path / "data", "--base-path", "/books", "--trusted-proxies", "127.0.0.1")
    folder, port = tmp_path / "nginx", Port()
    folder.mkdir()
    file = folder / "nginx.conf"
    file.write_text(CONFIGURATION.format(user=getpass.getuser(), folder=folder, port=port.number, server=server.port))
    nginx = subprocess.Popen([program, "-p", folder, "-c", file, "-e", folder / "error.log"])
    try:
        server.host = f"http://127.0.0.1:{port.number}"
        server.address = f"{server.host}/books"
        port.wait_until_open(nginx)
        yield server
    finally:
        nginx.terminate()
        nginx.wait()
        server.close()
        port.close()


@pytest.mark.worker
@pytest.mark.reads
def test_the_app_works_below_a_path(page, context, books):
    asked, refused, sockets, errors = [], [], [], []
    context.on("request", lambda request: asked.append(request.url))
    page.on("response", lambda r: refused.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    page.on("websocket", lambda opened: sockets.append(opened))
    page.on("pageerror", lambda error: errors.append(str(error)))

    # Data of another program of this host, which has to stay.
    page.goto(f"{books.host}/other")
    page.evaluate("""async () => {
        localStorage.setItem("other", "kept");
        await (await caches.open("other")).put("/other/file", new Response("kept"));
    }""")
    asked.clear()

    page.goto(f"{books.address}/#/library")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label(re.compile("[Ss]et-up code")).fill(books.code)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("button", name="Work offline").click()
    expect(page.locator(".empty")).to_contain_text("No books yet")
    # Before there is an owner, everything else is refused.
    refused.clear()

    # The service worker has the path, and nothing else, as its scope.
    scope = page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.scope)")
    assert scope == f"{books.address}/"
    page.reload()
    steps.eventually(page, "() => Boolean(navigator.serviceWorker.controller)")

    page.evaluate("""async () => {
        const api = await import("./lib/api.js");
        await api.changeSettings({ askBeforeAdding: true }, (await api.settings()).etag);
    }""")
    page.goto(f"{books.address}/#/scan")
    page.set_input_files("input[type=file]:not([capture])", [SHELF])
    steps.use_photo(page)
    expect(page.locator(".results-panel h1")).to_contain_text("spines found")
    assert sockets and all(s.url.startswith(f"ws://{books.address.removeprefix('http://')}/ws/progress?") for s in sockets)
    steps.add_all_to(page)
    page.goto(f"{books.address}/#/library")
    books_shown = page.locator(".board a")
    expect(books_shown.first).to_be_visible()
    count = books_shown.count()
    assert count >= 23
    # A picture of a spine, from the server and then from the worker's cache.
    picture = page.evaluate("""async () => {
        const api = await import("./lib/api.js");
        const book = (await api.allBooks(() => {})).find((each) => each.cropUrl);
        const answer = await fetch(book.cropUrl);
        return { url: book.cropUrl, type: answer.headers.get("content-type"), bytes: (await answer.blob()).size };
    }""")
    assert picture["url"].startswith(f"{books.address}/api/v1/detections/")
    assert picture["type"] == "image/jpeg" and picture["bytes"] > 500
    names = page.evaluate("caches.keys()")
    assert "shelflist/books/-covers" in names and not any(n.startswith("shelflist-") for n in names), names

    steps.eventually(page, f"() => import('./lib/store.js').then((store) => store.all('library')).then((kept) => kept.length === {count})")
    context.set_offline(True)
    page.reload()
    expect(page.locator(".lib-head p")).to_contain_text(f"{count} books")
    expect(page.locator(".cell a").first).to_be_visible()
    context.set_offline(False)
    page.reload()

    page.goto(f"{books.address}/#/settings/account")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    left = page.evaluate("""async () => ({
        books: (await (await import("./lib/store.js")).all("library")).length,
        covers: await caches.has("shelflist/books/-covers"),
        stored: Object.keys(localStorage).filter((key) => key.startsWith("shelflist")),
        other: localStorage.getItem("other"),
        cache: await (await (await caches.open("other")).match("/other/file")).text(),
    })""")
    assert (left["books"], left["covers"]) == (0, False)
    assert (left["other"], left["cache"]) == ("kept", "kept")

    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".board a")).to_have_count(count)

    own = [url for url in asked if not url.startswith(("data:", "blob:"))]
    assert [url for url in own if not url.startswith(f"{books.address}/")] == []
    assert {cookie["path"] for cookie in context.cookies()} == {"/books/"}
    # Refused while no member is signed in.
    assert [line for line in refused if not line.startswith("401 ")] == []
    assert errors == []


@pytest.mark.touched
def test_outside_of_its_path_the_server_says_where_it_is(books):
    with urllib.request.urlopen(books.address) as answer:
        assert answer.url == f"{books.address}/"
        assert "<title>Shelflist</title>" in answer.read().decode()
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{books.port}/")
    assert refused.value.code == 404
    assert "below /books/" in refused.value.read().decode()
