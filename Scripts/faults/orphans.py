"""Pictures of a library that no row names."""
import os
import pathlib
import sqlite3
import time

import harness
import libraries

#: Seconds after which the clean-up deletes such a picture (LibraryStore.orphanAge), and an hour.
AGE = 25 * 3600


def files(data):
    return {f"{folder}/{file.name}": file for folder in ("photos", "covers") for file in (pathlib.Path(data) / folder).glob("*")}


def found(data):
    """Returns the files in the folders of pictures that neither a row names nor an undo may bring back."""
    library = sqlite3.connect(f"file:{data}/library.sqlite?mode=ro", uri=True)
    try:
        named = set()
        for (table, column), folder in libraries.PICTURES.items():
            named |= {f"{folder}/{row[0]}" for row in library.execute(
                f"SELECT {column} FROM {table} UNION SELECT value FROM undoChange WHERE tableName = ? AND columnName = ?",
                [table, column])}
    finally:
        library.close()
    return sorted(files(data).keys() - named)


def after_clean_up(data):
    """Returns what is left of such pictures a day later, after the clean-up. The server's hourly one is the same."""
    day = time.time() - AGE
    for file in files(data).values():
        os.utime(file, (day, day))
    harness.must("library", "clean-up", "--data", data)
    return found(data)
