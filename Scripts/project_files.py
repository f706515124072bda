#!/usr/bin/env python3
"""Prints the project's files, one a line: those that git knows or would add. Where the folder is not a git repository, as
when the sources were unpacked from an archive, those that .gitignore does not name.

usage: project_files.py [PATTERN]... | --self-test

Patterns are those of git: `*.sh` matches in all folders.
"""
import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def is_repository(root):
    """Whether the folder itself is a git repository: one that is unpacked may be inside of another one."""
    try:
        top = subprocess.run(["git", "rev-parse", "--show-toplevel"], cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return False
    return top.returncode == 0 and pathlib.Path(top.stdout.strip()).resolve() == pathlib.Path(root).resolve()


def project_files(*patterns, root=ROOT):
    """Returns paths relative to the root, sorted; all files without a pattern."""
    if is_repository(root):
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")
        # A file that was deleted is still known until that is committed.
        return sorted({path for path in listed if path and (root / path).exists()})
    ignore = root / ".gitignore"
    ignored = [".git", *(ignore.read_text().split() if ignore.exists() else [])]

    def is_ours(name):
        return not any(fnmatch.fnmatchcase(name, pattern) for pattern in ignored)

    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = filter(is_ours, folders)
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names if is_ours(name)]
    return sorted(path for path in found
                  if not patterns or any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns))


def self_test():
    with tempfile.TemporaryDirectory() as outer:
        root = pathlib.Path(outer) / "tree"
        for path in ("a.sh", "sub/b.sh", "sub/c.py", ".deps/d.sh", ".build-old/e.sh", "sub/__pycache__/f.sh"):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("")
        (root / ".gitignore").write_text(".build*\n.deps\n__pycache__\n")
        for setting in ("without git", "inside of another repository", "as a repository"):
            if setting != "without git":
                folder = root if setting == "as a repository" else outer
                subprocess.run(["git", "init", "-q", folder], check=True)
            assert project_files("*.sh", root=root) == ["a.sh", "sub/b.sh"], setting
            assert project_files(root=root) == [".gitignore", "a.sh", "sub/b.sh", "sub/c.py"], setting
        subprocess.run(["git", "-C", root, "add", "a.sh"], check=True)
        (root / "a.sh").unlink()
        assert project_files("*.sh", "*.py", root=root) == ["sub/b.sh", "sub/c.py"], "a deleted file"


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        print(*project_files(*sys.argv[1:]), sep="\n")
