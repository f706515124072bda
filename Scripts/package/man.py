"""Writes a man page for each command, from the commands' own help.

usage: shelflist --experimental-dump-help | man.py FOLDER VERSION EPOCH

A command with subcommands has one page with all of them (shelflist-library.1), the program an overview (shelflist.1).
"""
import json
import pathlib
import re
import sys
import time


def escape(text):
    """Returns text for roff: backslashes, hyphens of options, and dots and quotes at the start of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def paragraphs(text):
    """Yields roff for text, in which indented lines are examples to be kept as they are."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        yield ".PP"
        example = False
        for line in block.split("\n"):
            indented = line.startswith("  ")
            if indented != example:
                yield ".nf\n.RS 4" if indented else ".RE\n.fi"
                example = indented
            yield escape(line.strip())
        if example:
            yield ".RE\n.fi"


def shown(items):
    return [item for item in items if item["shouldDisplay"]]


def spelled(name):
    return ("--" if name["kind"] == "long" else "-") + name["name"]


def names(argument):
    """Returns how an argument is written: `--format <format>`, `<photo> ...`."""
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        return value + (" ..." if argument["isRepeating"] else "")
    text = ", ".join(spelled(name) for name in argument["names"])
    return text if argument["kind"] == "flag" else f"{text} {value}"


def synopsis(command, path):
    words = [path]
    own = shown(command.get("arguments", []))
    if any(argument["kind"] != "positional" for argument in own):
        words.append("[options]")
    for argument in own:
        if argument["kind"] == "positional":
            words.append(f"[{names(argument)}]" if argument["isOptional"] else names(argument))
    if shown(command.get("subcommands", [])):
        words.append("<subcommand>")
    return " ".join(words)


def options(command):
    for argument in shown(command.get("arguments", [])):
        text = argument.get("abstract", "")
        if argument.get("allValues") and argument["kind"] == "option":
            text += f" One of: {', '.join(argument['allValues'])}."
        if "defaultValue" in argument and "(default:" not in text:
            text += f" Default: {argument['defaultValue']}."
        yield f".TP\n.B {escape(names(argument))}"
        yield escape(text.strip()) or "\\&"


def sections(command, path):
    """Describes a subcommand and those below it."""
    yield from [f".SS {escape(path)}", f".B {escape(synopsis(command, path))}", ".PP", escape(command["abstract"])]
    if command.get("discussion"):
        yield from paragraphs(command["discussion"])
    yield from options(command)
    for sub in shown(command.get("subcommands", [])):
        if sub["commandName"] != "help":
            yield from sections(sub, f"{path} {sub['commandName']}")


def page(command, path, header):
    title = path.replace(" ", "-")
    lines = [header.format(title=title.upper()), ".SH NAME", f"{escape(title)} \\- {escape(command['abstract'].rstrip('.'))}",
             ".SH SYNOPSIS", f".B {escape(synopsis(command, path))}"]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *list(paragraphs(command["discussion"]))[1:]]
    if shown(command.get("arguments", [])):
        lines += [".SH OPTIONS", *options(command)]
    subcommands = [sub for sub in shown(command.get("subcommands", [])) if sub["commandName"] != "help"]
    if subcommands:
        lines.append(".SH COMMANDS")
    for sub in subcommands:
        below = f"{path} {sub['commandName']}"
        if path == "shelflist":
            lines += [f".TP\n.BR {escape(below.replace(' ', '-'))} (1)", escape(sub["abstract"])]
            continue
        lines += sections(sub, below)
    lines.append(".SH SEE ALSO")
    lines.append(".BR shelflist (1)" if path != "shelflist" else
                 "https://github.com/shelflist/shelflist")
    return "\n".join(lines) + "\n"


def main():
    folder, version, epoch = sys.argv[1:]
    program = json.load(sys.stdin)["command"]
    day = time.strftime("%Y-%m-%d", time.gmtime(int(epoch)))
    header = '.TH {title} 1 "' + day + '" "Shelflist ' + version + '" "User Commands"'
    pages = {"shelflist": page(program, "shelflist", header)}
    for command in shown(program["subcommands"]):
        if command["commandName"] != "help":
            path = f"shelflist {command['commandName']}"
            pages[path.replace(" ", "-")] = page(command, path, header)
    for name, text in pages.items():
        pathlib.Path(folder, f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
