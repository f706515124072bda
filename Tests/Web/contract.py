"""Checks answers against docs/api/openapi.json, and compares the shapes of two answers."""
import json
import re
from pathlib import Path

import jsonschema_rs

API = json.loads((Path(__file__).resolve().parents[2] / "docs/api/openapi.json").read_text(encoding="utf-8"))
PREFIX = "/api/v1"


def pattern(path):
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path) + "$")


OPERATIONS = [
    (method.upper(), pattern(path), operation) for path, methods in sorted(API["paths"].items(), key=lambda p: p[0].count("{"))
    for method, operation in methods.items() if method in ("get", "post", "put", "patch", "delete")]
VALIDATORS = {}


def resolved(value):
    while "$ref" in value:
        found = API
        for key in value["$ref"].removeprefix("#/").split("/"):
            found = found[key]
        value = found
    return value


def operation(method, path):
    """Returns the description of an operation, or None. `path` starts with /api/v1."""
    return next((o for m, p, o in OPERATIONS if m == method and p.match(path.removeprefix(PREFIX))), None)


def validator(schema):
    key = json.dumps(schema)
    if key not in VALIDATORS:
        VALIDATORS[key] = jsonschema_rs.Draft202012Validator({**schema, "components": API["components"]})
    return VALIDATORS[key]


def violations(method, path, status, kind, body):
    """Yields a sentence for each way in which an answer violates the document. `body` is bytes."""
    name = f"{method} {path} {status}"
    described = operation(method, path)
    if described is None:
        if status != 404:
            yield f"{name}: this operation is not in docs/api/openapi.json."
        return
    response = described["responses"].get(str(status)) or described["responses"].get("default")
    if response is None:
        yield f"{name}: this status is not documented."
        return
    content = resolved(response).get("content")
    if not content:
        if body:
            yield f"{name}: documented without a body, but has one."
        return
    media = kind.split(";")[0]
    schema = content.get(media) or content.get(media.split("/")[0] + "/*")
    if schema is None:
        yield f"{name}: {media or 'no body'} is not documented ({', '.join(content)})."
    elif media.endswith("json"):
        for error in validator(schema.get("schema", {})).iter_errors(json.loads(body)):
            yield f"{name}: {'/'.join(map(str, error.instance_path))}: {error.message[:300]}"


def event_violations(event):
    """The same for an event of a job."""
    for error in validator({"$ref": "#/components/schemas/JobEvent"}).iter_errors(event):
        yield f"event {event['type']}: {'/'.join(map(str, error.instance_path))}: {error.message[:300]}"


def differences(ours, theirs, at="", free=()):
    """Yields the places where two JSON values differ in keys or types. Null and empty lists match everything; the
    keys of objects at a path in `free` may differ."""
    if ours is None or theirs is None:
        return
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if at in free:
            return
        for key in sorted(ours.keys() ^ theirs.keys()):
            yield f"{at}/{key}: only in the {'stand-in' if key in ours else 'server'}"
        for key in ours.keys() & theirs.keys():
            yield from differences(ours[key], theirs[key], f"{at}/{key}", free)
    elif isinstance(ours, list) and isinstance(theirs, list):
        if ours and theirs:
            yield from differences(ours[0], theirs[0], f"{at}/0", free)
    elif isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        if isinstance(ours, bool) != isinstance(theirs, bool):
            yield f"{at}: {ours!r} in the stand-in, {theirs!r} in the server"
    elif type(ours) is not type(theirs):
        yield f"{at}: {ours!r} in the stand-in, {theirs!r} in the server"
