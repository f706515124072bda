"""What the tests of signing out share: what a browser keeps, photos that were not sent, and members who sign in and out."""
import steps
from conftest import NAME, PASSWORD, small_photo
from playwright.sync_api import expect

KEPT = """async () => {
  const store = await import("/lib/store.js");
  const books = (await store.all("library")).length, scans = (await store.all("scans")).length;
  const photos = (await store.all("photos")).length;
  const trays = (await store.keys("meta")).filter((key) => key.startsWith("tray"));
  const tray = (await Promise.all(trays.map((key) => store.get("meta", key)))).flat().length;
  const pictures = await caches.has("shelflist-covers") ? (await (await caches.open("shelflist-covers")).keys()).length : 0;
  const others = (await store.keys("meta")).filter((key) => !trays.includes(key));
  return { books, scans, photos, tray, pictures, others };
}"""
NOTHING = {"books": 0, "scans": 0, "photos": 0, "tray": 0, "pictures": 0, "others": []}


def fill(app, books=12):
    """The library and a picture of it, as kept for offline use."""
    steps.open_library(app)
    steps.installed(app)
    steps.eventually(app, f"() => import('/lib/store.js').then((store) => store.all('library')).then((kept) => kept.length === {books})")
    app.evaluate("""async () => {
      const cache = await caches.open("shelflist-covers");
      await cache.put("/api/v1/covers/a.jpg", new Response("x"));
    }""")
    assert app.evaluate(KEPT)["pictures"] > 0


def take(app, photos=3):
    """Photos that were chosen and not sent yet."""
    app.open("/scan")
    app.set_input_files("input[type=file]:not([capture])", [small_photo()] * photos)
    shows(app, photos)
    app.evaluate("() => import('/lib/tray.js').then((tray) => tray.trayKept())")


def shows(app, photos):
    """Expects so many photos in the tray."""
    read = app.get_by_role("button", name=f"Read {photos}" if photos else "Read")
    expect(read).to_have_count(1 if photos else 0)


def enter(app, name):
    """Signs in by the form."""
    app.open("/welcome")
    app.get_by_label("Name").fill(name)
    app.get_by_label("Password").fill(PASSWORD)
    app.get_by_role("button", name="Sign in").click()
    expect(app.get_by_role("link", name="Library", exact=True)).to_be_visible()


def add_bea(server):
    server.call("POST", "/session/confirm", {"password": PASSWORD})
    return server.call("POST", "/members", {"name": "Bea", "password": PASSWORD, "role": "editor"})


def end_elsewhere(server):
    """Signs the member out everywhere, from another browser."""
    _, headers, _ = server.send("POST", "/api/v1/session", {"name": NAME, "password": PASSWORD}, Cookie="")
    server.send("DELETE", "/api/v1/sessions", Cookie=headers["set-cookie"].split(";")[0])


def sign_out(app):
    app.open("/settings/account")
    app.get_by_role("button", name="Sign out").click()


def is_signed_in(app):
    """Whether the server knows the member whose cookie the browser has."""
    return app.request.get(f"{app.server.address}/api/v1/session").json()["signedIn"]


def scans(server):
    return server.call("GET", "/scans")["items"]
