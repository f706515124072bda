"""Writes the API's reference as Markdown pages from docs/api/openapi.json: one for each tag, and one with the schemas."""
import json
import re

METHODS = ("get", "post", "put", "patch", "delete")
FOLDER = "api/reference"


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def cell(text):
    """Returns text for a cell of a table."""
    return " ".join(str(text).split()).replace("|", "\\|")


class Reference:
    def __init__(self, document):
        self.document = document

    def pages(self):
        """Returns title and Markdown of each page by its path."""
        pages = {f"{FOLDER}/{slug(tag['name'])}.md": (tag["name"], self.tag(tag["name"])) for tag in self.document["tags"]}
        pages[f"{FOLDER}/schemas.md"] = ("Schemas", self.schemas())
        return pages

    def resolved(self, value):
        while "$ref" in value:
            place = self.document
            for part in value["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            value = place
        return value

    # ---- pages

    def tag(self, name):
        operations = [(method, path, item[method]) for path, item in self.document["paths"].items()
                      for method in METHODS if method in item and name in item[method]["tags"]]
        base = self.document["servers"][0]["url"]
        lines = [f"# {name}", "", f"Paths are below `{base}`. [The overview](../README.md) describes sign-in, errors and paging.", ""]
        lines += ["| | |", "|---|---|"]
        lines += [f"| `{m.upper()}` | [`{p}`](#{slug(o['operationId'])}) |" for m, p, o in operations] + [""]
        for operation in operations:
            lines += self.operation(*operation)
        return "\n".join(lines)

    def operation(self, method, path, operation):
        lines = [f"## {operation['summary']} {{ #{slug(operation['operationId'])} }}", "",
                 f"**`{method.upper()} {path}`**", "", f"Role: {self.role(operation)}", ""]
        if "description" in operation:
            lines += [operation["description"], ""]
        parameters = [self.resolved(p) for p in operation.get("parameters", [])]
        if parameters:
            lines += ["| parameter | in | type | |", "|---|---|---|---|"]
            lines += [f"| `{p['name']}`{'' if p.get('required') else ' (optional)'} | {p['in']} | {self.type(p['schema'])} | {cell(p.get('description', ''))} |"
                      for p in parameters] + [""]
        for kind, media in self.resolved(operation.get("requestBody", {})).get("content", {}).items():
            lines += self.body(kind, media.get("schema", {}))
        return lines + self.responses(operation["responses"])

    def role(self, operation):
        ways = [name for way in operation.get("security", []) for name in way]
        more = ", or the token of the job" if "job" in ways else ", signed in; tokens are refused" if ways == ["session"] else ""
        return f"{operation['x-role']}{more}."

    def body(self, kind, schema):
        if "$ref" not in schema and "properties" in schema:
            return [f"Body (`{kind}`):", "", *self.fields(schema), ""]
        return [f"Body: {self.type(schema)} (`{kind}`).", ""]

    def responses(self, responses):
        lines, failures = ["| response | content | |", "|---|---|---|"], []
        for status, response in responses.items():
            response = self.resolved(response)
            content = response.get("content", {})
            if "application/problem+json" in content:
                failures.append(status)
                continue
            what = ", ".join(self.type(m["schema"]) if m.get("schema") and "json" in k else f"`{k}`" for k, m in content.items())
            lines.append(f"| {status} | {what} | {cell(response.get('description', ''))} |")
        if failures:
            known = ", ".join(f for f in failures if f != "default")
            lines += ["", f"Errors{': ' + known if known else ''}, as [problem documents](../README.md#errors)."]
        return lines + [""]

    def schemas(self):
        lines = ["# Schemas", ""]
        for name, schema in sorted(self.document["components"]["schemas"].items()):
            lines += [f"## {name} {{ #{slug(name)} }}", ""]
            if "description" in schema:
                lines += [schema["description"], ""]
            for part in schema.get("allOf", [schema]):
                lines += self.fields(part) if "properties" in part else [f"Type: {self.type(part)}."]
                lines += [""]
        return "\n".join(lines)

    # ---- types

    def fields(self, schema):
        required = schema.get("required", [])
        lines = ["| field | type | |", "|---|---|---|"]
        for name, value in schema["properties"].items():
            optional = "" if name in required else " (optional)"
            lines.append(f"| `{name}`{optional} | {self.type(value)} | {cell(value.get('description', ''))} |")
        return lines

    def type(self, schema):
        """Returns the type in words, with links to named schemas."""
        if "$ref" in schema:
            place, name = schema["$ref"].rsplit("/", 1)
            if not place.endswith("/schemas"):
                return self.type(self.resolved(schema))
            return f"[{name}](schemas.md#{slug(name)})"
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return " or ".join(dict.fromkeys(self.type(s) for s in schema[several]))
        if "allOf" in schema:
            return " and ".join(self.type(s) for s in schema["allOf"])
        if "const" in schema:
            return f"`{json.dumps(schema['const'])}`"
        if "enum" in schema:
            return " or ".join(f"`{value}`" if value is not None else "null" for value in schema["enum"])
        kinds = schema.get("type", "any")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return " or ".join(self.kind(k, schema) for k in kinds)

    def kind(self, kind, schema):
        if kind == "array":
            return f"list of {self.type(schema.get('items', {}))}"
        if kind == "object" and "properties" in schema:
            return "object with " + ", ".join(f"`{n}`" for n in schema["properties"])
        return kind + self.limits(kind, schema)

    def limits(self, kind, schema):
        if kind == "string" and "format" in schema:
            return f" ({schema['format']})"
        low, high = schema.get("minimum"), schema.get("maximum")
        if kind not in ("integer", "number") or (low is None and high is None):
            return ""
        return f" ({low}…{high})" if high is not None and low is not None else f" (at least {low})" if high is None else f" (at most {high})"
