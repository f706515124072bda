"""MkDocs hooks: adds pages made from other files of the repository, and lets links that leave docs/ work in the site.

The documents are written for a Git host, where `../contrib/compose.yml` is a file beside docs/. In the site such a link
leads to a page (ROOT_PAGES) or to a copy of the file below `source/`."""
import json
import posixpath
import re
import sys
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))
from reference import Reference  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
# Files outside of docs/ that are pages of the site.
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
# Files of the site by the file of the repository that they stand for.
PAGES = {**ROOT_PAGES, "README.md": "index.md", "docs/decisions": "decisions/index.md"}
ORIGINS = {page: file for file, page in ROOT_PAGES.items()}
# What browsers show by itself; they download most other kinds of files.
SHOWN = (".jpg", ".json")
ICON = "Web/icons/icon.svg"
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
HEAD = re.compile(r"<th[^>]*>(.*?)</th>")
ARROW = re.compile(r"^\s*([\w-]+) --> ([\w-]+)$", re.MULTILINE)


def on_config(config):
    """Puts the pages of the API's reference into the navigation."""
    document = json.loads((ROOT / "docs/api/openapi.json").read_text(encoding="utf-8"))
    config["reference"] = Reference(document).pages()
    for section in config.nav:
        for entry in next(iter(section.values())) if isinstance(next(iter(section.values())), list) else []:
            if isinstance(entry, dict) and entry.get("Reference") == "REFERENCE":
                entry["Reference"] = [{title: path} for path, (title, _) in config["reference"].items()]
    return config


def on_files(files, config):
    """Adds pages that are not in docs/."""
    for path, (_, text) in config["reference"].items():
        files.append(File.generated(config, path, content=text))
    for file, page in ROOT_PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / file).read_text(encoding="utf-8")))
    files.append(File.generated(config, "decisions/index.md", content=decisions()))
    files.append(File.generated(config, "assets/icon.svg", content=(ROOT / ICON).read_text(encoding="utf-8")))
    return files


def decisions():
    """Returns the list of all records of decisions."""
    lines = ["# Decisions", "", "Each record says what was needed, what was chosen, what else was considered, and what it costs.", ""]
    for file in sorted((ROOT / "docs/decisions").glob("[0-9]*.md")):
        number, title = re.match(r"# (\d+)\. (.+)", file.read_text(encoding="utf-8")).groups()
        lines.append(f"{number}. [{title}]({file.name})")
    return "\n".join(lines) + "\n"


def on_page_markdown(markdown, page, config, files):
    """Rewrites links for the site, and diagrams as tables."""
    source = page.file.src_uri
    if source in ("index.md", "tour.md"):
        page.meta["hide"] = ["navigation", "toc"] if source == "index.md" else ["navigation"]
    markdown = MERMAID.sub(lambda found: table(found[1]), markdown)
    origin = ORIGINS.get(source, "docs/" + source)
    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(lambda link: rewritten(link, origin, source, config, files), part) for part in parts[::2]]
    return "".join(parts)


def on_page_content(html, page, config, files):
    """Marks tables of settings and parameters, whose rows are too wide and are shown as blocks (site.css), and removes the
    backslash before a bar in code, which a Git host needs in a table and Python-Markdown shows."""
    return TABLE.sub(lambda found: labelled(found[0].replace("\\|", "|")), html)


def labelled(html):
    """Returns a table that ends with a column of descriptions, with a label on each cell; others as they are."""
    labels = HEAD.findall(html)
    if len(labels) < 4 or labels[-1]:
        return html
    rows = re.sub(r"<tr>(.*?)</tr>", lambda row: f"<tr>{cells(row[1], labels)}</tr>", html, flags=re.DOTALL)
    return f'<div class="rows">{rows}</div>'


def cells(row, labels):
    names = iter(labels)
    return re.sub(r"<td", lambda _: f'<td data-label="{next(names)}"', row)


def table(diagram):
    """Returns the arrows of a diagram as a table: Mermaid's script is not part of the site."""
    arrows = {}
    for start, end in ARROW.findall(diagram):
        arrows.setdefault(start, []).append(f"`{end}`")
    return "\n".join(["| module | imports |", "|---|---|", *(f"| `{start}` | {', '.join(ends)} |" for start, ends in arrows.items())])


def rewritten(link, origin, source, config, files):
    before, target, anchor, after = link.groups()
    if re.match(r"[a-z][a-z0-9+.-]*:|/", target):
        return link[0]
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
    if wanted in PAGES:
        place = PAGES[wanted]
    elif wanted.startswith("docs/"):
        place = wanted.removeprefix("docs/")
    else:
        place = copied(wanted, origin, config, files)
    return before + posixpath.relpath(place, posixpath.dirname(source) or ".") + (anchor or "") + after


def copied(wanted, origin, config, files):
    """Copies a file of the repository into the site, in a form that a browser shows, and returns its place."""
    if not (ROOT / wanted).is_file():
        raise PluginError(f"{origin} has a link to {wanted}, which is not a file of the repository.")
    place = f"source/{wanted}" if wanted.endswith(SHOWN) else f"source/{wanted}.txt"
    if files.get_file_from_path(place) is None:
        files.append(File.generated(config, place, content=(ROOT / wanted).read_bytes()))
    return place
