"""Fixtures of the tests that still use the stand-in: `from old import app, server`."""
import contract
import pytest
import standin
from conftest import asks_first


@pytest.fixture
def server(request):
    """The stand-in, with as many books as the mark `books` says. All its answers must be as documented."""
    mark = request.node.get_closest_marker("books")
    running = standin.serve(0, mark.args[0] if mark else 0)
    violations = []
    running.RequestHandlerClass.checked = staticmethod(lambda *answer: violations.extend(contract.violations(*answer)))
    running.world = running.RequestHandlerClass.world
    running.world.settings["askBeforeAdding"] = asks_first(request)
    running.address = f"http://127.0.0.1:{running.server_address[1]}"
    yield running
    running.shutdown()
    running.server_close()
    assert violations == []


@pytest.fixture
def app(page, server):
    """A page of the app. Its console must have no errors at the end."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.set_default_timeout(60_000)
    page.address = server.address
    page.errors = errors
    page.open = lambda path: page.goto(f"{server.address}/#{path}")
    yield page
    # The browser also logs requests that the test made to fail.
    unexpected = [t for t in errors if "Failed to load resource" not in t and "WebSocket" not in t and "ERR_" not in t]
    assert unexpected == []
