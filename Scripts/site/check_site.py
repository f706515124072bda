#!/usr/bin/env python3
"""Checks the built site and the Markdown files of the repository, without the network.

  check_site.py FOLDER      every link and anchor has a target, and pages request nothing from other hosts
  check_site.py --self-test
"""
import posixpath
import re
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pymdownx.slugs import slugify

ROOT = Path(__file__).resolve().parents[2]
# Attributes whose address a browser requests by itself.
REQUESTED = {("img", "src"), ("script", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"),
             ("embed", "src"), ("object", "data"), ("link", "href"), ("video", "poster"), ("input", "src"), ("use", "href")}
NOT_REQUESTED = {"canonical", "next", "prev", "alternate"}
STYLE_ADDRESS = re.compile(r"url\(\s*['\"]?([^)'\"]+)|@import\s+['\"]([^'\"]+)")
MARKDOWN_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:img|a)\s[^>]*(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2\s*$", re.MULTILINE | re.DOTALL)


def external(address):
    return bool(urlsplit(address).netloc)


class Page(HTMLParser):
    """The links, requests and anchors of an HTML file."""

    def __init__(self, text):
        super().__init__()
        self.links, self.requests, self.anchors, self.styling = [], [], set(), False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(found[key] for key in ("id", "name") if found.get(key) and (key == "id" or tag == "a"))
        self.styling = tag == "style"
        if "mermaid" in (found.get("class") or "").split():
            self.requests.append("the script of Mermaid")
        for key, value in attributes:
            if not value:
                continue
            if (tag, key) in REQUESTED and not (tag == "link" and NOT_REQUESTED & set((found.get("rel") or "").split())):
                self.requests.append(value)
            elif key == "srcset":
                self.requests.extend(part.split()[0] for part in value.split(",") if part.strip())
            elif key == "style":
                self.requests.extend(addresses(value))
            elif (tag, key) == ("a", "href"):
                self.links.append(value)

    def handle_data(self, data):
        if self.styling:
            self.requests.extend(addresses(data))

    def handle_endtag(self, tag):
        self.styling = False


def addresses(style):
    return [a or b for a, b in STYLE_ADDRESS.findall(style)]


def check_site(folder):
    """Returns the problems of a built site, and the number of links."""
    pages = {p.relative_to(folder).as_posix(): Page(p.read_text(encoding="utf-8")) for p in sorted(folder.rglob("*.html"))}
    problems, count = [], 0
    for name, page in pages.items():
        problems += [f"{name} requests {a} from another host." for a in page.requests if external(a) or a.startswith("the script")]
        for address in [*page.links, *(a for a in page.requests if not a.startswith("the script"))]:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            # 404.html has addresses from the root, because it is shown for any path.
            place = folder / target.lstrip("/")
            target = place.relative_to(folder).as_posix() if not place.is_dir() else posixpath.normpath(f"{target.lstrip('/')}/index.html")
            if not (folder / target).is_file():
                problems.append(f"{name} has a link to {address}, which does not exist.")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                problems.append(f"{name} has a link to {address}, but {target} has no such anchor.")
    for style in sorted(folder.rglob("*.css")):
        problems += [f"{style.relative_to(folder)} requests {a} from another host."
                     for a in addresses(style.read_text(encoding="utf-8")) if external(a)]
    return problems, count


# ---- Markdown on a Git host


def headings(text):
    """Returns the anchors that a Git host gives to the headings."""
    slug, seen, anchors = slugify(case="lower"), {}, set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        name = slug(plain, "-")
        number = seen.get(name, 0)
        seen[name] = number + 1
        anchors.add(f"{name}-{number}" if number else name)
    return anchors


def check_markdown(root, files):
    """Returns the problems of links between files of the repository, and the number of links."""
    texts = {name: (root / name).read_text(encoding="utf-8") for name in files}
    problems, count = [], 0
    for name, text in texts.items():
        prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
        for address in (a or b for a, b in MARKDOWN_LINK.findall(prose)):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            if target.startswith("..") or not (root / target).exists():
                problems.append(f"{name} has a link to {address}, which does not exist.")
            elif parts.fragment and target in texts and unquote(parts.fragment) not in headings(texts[target]):
                problems.append(f"{name} has a link to {address}, but {target} has no such heading.")
    return problems, count


def tracked():
    """Returns the Markdown files of the repository, also new ones."""
    command = [sys.executable, ROOT / "Scripts/project_files.py", "*.md"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")[:-1]


# ---- self-test


def self_test():
    """Checks that each kind of problem is found, and a good page has none."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "good.html").write_text('<h2 id="here">x</h2><a href="#here">a</a><a href="https://example.org/">b</a>')
        (folder / "good.md").write_text("# One & two\n\n[a](#one--two) [b](good.html) `[c](none)`\n\n```\n[d](none)\n```\n")
        assert check_site(folder) == ([], 1), check_site(folder)
        assert check_markdown(folder, ["good.md"]) == ([], 2), check_markdown(folder, ["good.md"])
        bad = {
            "link": '<a href="none.html">a</a>', "anchor": '<a href="good.html#none">a</a>', "picture": '<img src="none.png">',
            "script": '<script src="https://example.org/a.js"></script>', "font": '<link rel="stylesheet" href="//example.org/a.css">',
            "style": "<style>a { background: url(https://example.org/a.png) }</style>", "set": '<img srcset="https://example.org/a.png 2x">',
            "diagram": '<pre class="mermaid">graph</pre>',
        }
        for kind, html in bad.items():
            file = folder / "bad.html"
            file.write_text(html)
            assert len(check_site(folder)[0]) == 1, kind
        file.unlink()
        (folder / "a.css").write_text("@import 'https://example.org/a.css';")
        assert len(check_site(folder)[0]) == 1, "import"
        for text in ("[a](none.md)", "[a](good.md#none)", "![a](none.png)", '<img src="none.png">', "[a](../outside.md)"):
            (folder / "bad.md").write_text(text)
            assert len(check_markdown(folder, ["good.md", "bad.md"])[0]) == 1, text


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    problems, links = check_site(Path(sys.argv[1]))
    more, others = check_markdown(ROOT, tracked())
    for problem in problems + more:
        print(f"check_site: {problem}", file=sys.stderr)
    if problems or more:
        sys.exit(1)
    if not links or not others:
        sys.exit("check_site: no links were found.")
    print(f"{links} links of the site and {others} of Markdown files have targets; no page requests anything from other hosts.")


main()
