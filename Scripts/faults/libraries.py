"""What a data folder holds, for comparisons."""
import collections
import hashlib
import pathlib
import re
import sqlite3


#: Columns with times, of which only whether there is one is compared.
TIMES = {"at", "time", "addedAt", "createdAt", "changedAt", "updatedAt", "finishedAt", "queuedAt", "askedAt", "decidedAt",
         "clearedAt", "scannedAt", "seenAt", "undoneAt", "answeredAt"}
#: Columns that name a picture, with its folder; the names are random, so that their content is compared.
PICTURES = {("photo", "file"): "photos", ("photo", "picture"): "photos", ("edition", "cover"): "covers"}
UUID = re.compile("[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
#: Columns that only identify something.
RANDOM = {("reviewAction", "undoToken"), ("shelf", "code"), ("detection", "job"), ("scanPhoto", "job"), ("feedback", "job")}
#: Columns with the numbers of rows, which follow the order in which photos are read.
NUMBERS = {"id", "work", "edition", "entry", "shelf", "author", "photo", "detection", "action", "question", "rowKey"}


#: Tables of what is computed from the others when it is needed.
COMPUTED = {"standing", "shelfToCompare", "textToIndex"}
#: And of what was done.
NO_CONTENT = COMPUTED | {"reviewAction", "undoChange", "activity"}


def state(data, numbers=True, revisions=True):
    """All that a library holds, for comparison: every row of every table by table, without times and random names.

    `numbers` is false for photos that are read in any order: then the numbers of rows are not compared. `revisions` is false
    for rows that were changed and changed back, which counts both.
    Rows of scans are left out, because scans expire; and the revision, which counts attempts too. Empty for a folder
    without a library.
    """
    data = pathlib.Path(data)
    if not (data / "library.sqlite").exists():
        return {}
    library = sqlite3.connect(data / "library.sqlite")
    try:
        assert library.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = {}
        for (table,) in library.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                "AND name NOT LIKE 'workWords_%' AND name NOT LIKE 'spineText_%' AND name NOT LIKE 'job%' AND name <> 'libraryState'").fetchall():
            cursor = library.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in cursor.description]
            found[table] = sorted(
                (tuple("…" if column == "revision" and not revisions
                       else shown(data, table, column, row, columns, numbers) for column in columns) for row in cursor),
                key=str)
        return found
    finally:
        library.close()


def shown(data, table, column, row, columns, numbers):
    """A value as `state` compares it."""
    value = row[columns.index(column)]
    if table == "undoChange" and column == "value":
        # The former value of another column.
        table, column = row[columns.index("tableName")], row[columns.index("columnName")]
    if value is None:
        return None
    if (table, column) in PICTURES:
        file = data / PICTURES[table, column] / value
        return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else "deleted"
    if column in TIMES or (table, column) in RANDOM or not numbers and column in NUMBERS:
        return "…"
    # A row that can be undone is named by its key, in which a scan's job may be, and an event names the scan.
    return UUID.sub("…", value) if table in ("undoChange", "activity") and isinstance(value, str) else value


def contents(data):
    """The state of a library as people see it, which an undo brings back."""
    return {table: rows for table, rows in state(data, revisions=False).items() if table not in NO_CONTENT}


def has_all(some, all):
    """Whether each row of one state is in another."""
    return not any(collections.Counter(rows) - collections.Counter(all.get(table, [])) for table, rows in some.items())


def is_between(before, found, after, titles):
    """Whether a state is that of a list of which only the first rows were imported, each of them completely.

    `titles` are those of the list, in its order.
    """
    def names(state):
        return {row[1] for row in state.get("work", [])}

    added = names(found) - names(before)
    counts = {len(found.get(table, [])) - len(before.get(table, [])) for table in ("work", "entry", "importedRow")}
    return (has_all(before, found) and has_all(found, after) and added == set(titles[:len(added)])
            and counts == {len(added)})


def differences(found, wanted):
    """The tables in which two states differ, with their numbers of rows and an example of each side."""
    def example(some, others):
        rest = collections.Counter(some or []) - collections.Counter(others or [])
        return str(next(iter(rest), "none"))[:160]

    return ", ".join(
        f"{table} ({len(found.get(table) or [])} rows instead of {len(wanted.get(table) or [])}; "
        f"{example(found.get(table), wanted.get(table))} instead of {example(wanted.get(table), found.get(table))})"
        for table in sorted({*found, *wanted}) if found.get(table) != wanted.get(table))


def rows(data):
    """Every row of every table, for an exact comparison."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    try:
        tables = [row[0] for row in library.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]
        return {table: sorted(map(repr, library.execute(f'SELECT * FROM "{table}"'))) for table in tables}
    finally:
        library.close()


def catalog(data):
    """The works and editions of the catalog, without their numbers; empty if there is none."""
    file = pathlib.Path(data) / "catalog.sqlite"
    if not file.exists():
        return {}
    database = sqlite3.connect(file)
    try:
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = {"work": "title, subtitle, authors", "edition": "isbn, title, authors, publisher, year, language"}
        return {table: sorted(database.execute(f"SELECT {columns[table]} FROM {table}"), key=str)
                for table in columns if table in tables}
    finally:
        database.close()
