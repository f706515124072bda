"""Writes figures into docs/benchmarks.md or another document, each measurement between its two markers."""
import re

from measuring import ROOT, BenchmarkError, machine

REPORT = ROOT / "docs/benchmarks.md"


def table(head, rows):
    """Returns a Markdown table with right-aligned numbers."""
    rows = [[str(cell) for cell in row] for row in rows]
    right = [all(re.match(r"[−\d]", row[column]) for row in rows) for column in range(len(head))]
    rule = ["---:" if flag else "---" for flag in right]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *rows])


def write(part, *paragraphs, report=REPORT):
    """Replaces one part, with date, machine and command of the measurement."""
    begin, end = f"<!-- {part}: written by Benchmarks/run.sh {part} -->", f"<!-- end of {part} -->"
    text = report.read_text()
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise BenchmarkError(f"{report} has no part '{part}'.", f"add these two lines to it: {begin} and {end}")
    body = "\n\n".join([*paragraphs, f"*`Benchmarks/run.sh {part}`, {machine()}*"])
    report.write_text(f"{before}{begin}\n{body}\n{end}{after}")
    print(body, end="\n\n", flush=True)


def write_column(part, name, figures):
    """Replaces one column of a part's table, or adds it; the rows are those of `figures` and what other columns have."""
    begin, end = f"<!-- {part}: ", f"<!-- end of {part} -->"
    before, _, rest = REPORT.read_text().partition(begin)
    marker, _, rest = rest.partition("\n")
    body, closed, after = rest.partition(end)
    if not closed:
        raise BenchmarkError(f"{REPORT} has no part '{part}'.", f"add these two lines to it: {begin}… --> and {end}")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in body.strip().splitlines()]
    names = cells[0][1:] if cells else []
    columns = {key: {row[0]: row[at + 1] for row in cells[2:]} for at, key in enumerate(names)}
    columns[name] = figures
    labels = list(dict.fromkeys(label for column in [figures, *columns.values()] for label in column))
    rows = [[label, *(column.get(label, "–") for column in columns.values())] for label in labels]
    text = table(["", *columns], rows)
    REPORT.write_text(f"{before}{begin}{marker}\n{text}\n{end}{after}")
    print(text, end="\n\n", flush=True)


def seconds(value):
    return f"{value:.2f} s"


def percent(value):
    return "–" if value != value else f"{100 * value:.1f} %"
