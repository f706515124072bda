"""Fields of the app's requests that the API document does not have: the server would drop what a form sends in them."""
import functools
import json
import pathlib
import re
import urllib.parse

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "api" / "openapi.json"
API = "/api/v1"


@functools.cache
def document():
    return json.loads(DOCUMENT.read_text())


def resolved(part):
    """Follows a reference within the document."""
    while "$ref" in part:
        target = document()
        for name in part["$ref"].removeprefix("#/").split("/"):
            target = target[name.replace("~1", "/").replace("~0", "~")]
        part = target
    return part


@functools.cache
def operations():
    """The patterns of all paths, those without parameters first, with their operations."""
    paths = sorted(document()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\\\{[^/]+?\\\}", "[^/]+", re.escape(path))), found) for path, found in paths]


def schema_of(method, path):
    """Returns the schema of a request's JSON; None if the document has no such operation, or one without a JSON body."""
    for pattern, found in operations():
        if pattern.fullmatch(path) and method.lower() in found:
            content = resolved(found[method.lower()].get("requestBody", {})).get("content", {})
            return next((kind["schema"] for name, kind in content.items() if "json" in name), None)
    return None


def unknown(value, schema, at=""):
    """Yields the paths of the fields of a value that no part of a schema has."""
    parts = [resolved(schema)]
    for part in parts:
        for several in ("allOf", "oneOf", "anyOf"):
            parts += [resolved(one) for one in part.get(several, [])]
    if isinstance(value, list):
        items = [part["items"] for part in parts if "items" in part]
        for one in value:
            yield from unknown(one, {"anyOf": items}, at + "[]")
    elif isinstance(value, dict):
        others = [part["additionalProperties"] for part in parts if part.get("additionalProperties")]
        for name, inner in value.items():
            known = [part["properties"][name] for part in parts if name in part.get("properties", {})] or others
            if not known:
                yield f"{at}.{name}"
            elif True not in known:
                yield from unknown(inner, {"anyOf": known}, f"{at}.{name}")


def unknown_fields(request):
    """Returns the fields of a request of a page that the API document does not have."""
    path = urllib.parse.urlsplit(request.url).path.partition(API)[2]
    if not path or "json" not in request.headers.get("content-type", ""):
        return []
    schema = schema_of(request.method, path)
    if schema is None:
        return [f"{request.method} {path} takes no JSON"]
    return [f"{request.method} {path} {field}" for field in unknown(request.post_data_json, schema)]
