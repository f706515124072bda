#!/usr/bin/env python3
"""Checks that a target imports only what the table below lists.

usage: check_imports.py [--self-test]

Checks that the dependencies in Package.swift are the table's, that each test target also names the modules below them
(SwiftPM does not compile it again when a module changes that it gets through another), that the modules which apps share
with the server need no C library and no package, that each file below Sources/, Tools/ and Tests/Support/ imports only what its target's line
allows, and that each other file below Tests/ imports only what is below its own target's dependencies.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# An arrow means "may import". Extending this table is a decision about the design, not a formality.
ARROWS = {
    "CImageCodecs": set(),
    "CFreeType": set(),
    "COpenVINO": set(),
    "CDynamicLibrary": set(),
    "CPostgres": {"CDynamicLibrary"},
    "CQRCode": set(),
    "CSandbox": set(),
    "CTesseract": {"CDynamicLibrary"},
    "CZlib": set(),
    # Conversions, ranges and lengths that no value from outside can break.
    "Bounds": set(),
    "Bibliography": {"Bounds"},
    "Concurrency": set(),
    # Durable files and locks.
    "Storage": {"Bounds", "ShelflistAPI"},
    "DelimitedText": {"Bibliography", "Bounds", "ShelflistAPI"},
    "ClientInput": {"ShelflistAPI", "NIOCore", "NIOWebSocket"},
    "ShelflistAPI": {"Bibliography"},
    # For apps; the packages only on Linux.
    "ShelflistClient": {
        "Bibliography", "Bounds", "ShelflistAPI", "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket", "NIOSSL",
        "Crypto", "SwiftASN1", "X509"},
    # State for the views of apps; uses only what apps can use, too.
    "ShelflistModels": {"Bibliography", "ShelflistAPI", "ShelflistClient"},
    "ShelflistClientTesting": {"Bibliography", "Bounds", "ShelflistAPI", "ShelflistClient"},
    # The sample app: its models, and its views, which are compiled with declarations in place of SwiftUI.
    "ShelfScannerCore": {"ShelflistModels"},
    "ShelfScanner": {"ShelfScannerCore", "SwiftUIStandIn"},
    "SwiftUIStandIn": set(),
    "Catalog": {"Bibliography", "Bounds", "CZlib", "DelimitedText", "ShelflistAPI", "Storage", "GRDB", "GRDBSQLite"},
    # With Downloads, the only HTTP client; apart from Catalog, so that local search needs no network code.
    "Providers": {
        "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Storage", "AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "NIOSSL"},
    "Imaging": {"Bounds", "ShelflistAPI", "CImageCodecs", "CFreeType", "CSandbox"},
    "Library": {
        "Bibliography", "Bounds", "Concurrency", "DelimitedText", "ShelflistAPI", "Imaging", "Storage", "GRDB", "Crypto", "_CryptoExtras"},
    "Inference": {"COpenVINO", "ShelflistAPI"},
    "SpineReading": {"Bounds", "CTesseract", "Concurrency", "ShelflistAPI", "Imaging", "Inference"},
    "Identification": {"Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "SpineReading", "Imaging"},
    # From bytes to books: no library, no database, no network.
    "Reading": {
        "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Identification", "SpineReading", "Inference", "Imaging"},
    "Terminal": {"Bibliography", "Bounds", "DelimitedText", "Imaging", "Reading", "ShelflistAPI", "ArgumentParser"},
    # What is not imported here is not compiled for the first photo.
    "read-photo": {"Bibliography", "Catalog", "Reading", "Terminal", "ArgumentParser"},
    "Scans": {
        "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Identification", "SpineReading", "Imaging", "Library", "Reading",
        "Storage", "Crypto", "GRDB"},
    # A worker needs neither the library nor SQLite; apart from Reading, which needs no database client.
    "WorkQueue": {"Bounds", "CPostgres", "Imaging", "Reading", "ShelflistAPI", "SpineReading", "Storage", "Crypto"},
    # Asks the catalog and the providers together.
    "Lookup": {
        "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Catalog", "Identification", "Imaging", "Library", "Providers",
        "Reading", "Scans", "SpineReading", "Storage"},
    # Dumps of catalogs: apart from Catalog, which needs no network code, and from Lookup, which asks about books.
    "Downloads": {"Bounds", "Catalog", "Concurrency", "Providers", "ShelflistAPI", "Storage", "AsyncHTTPClient", "NIOCore", "NIOHTTP1"},
    "Server": {
        "Bibliography", "Bounds", "CQRCode", "CZlib", "Catalog", "ClientInput", "Concurrency", "DelimitedText", "Downloads",
        "Identification", "Imaging", "Library", "Lookup", "Providers", "Reading", "Scans", "ShelflistAPI", "Storage", "Hummingbird",
        "HummingbirdCore", "HummingbirdTLS", "NIOCore", "NIOHTTP1", "NIOWebSocket", "NIOSSL", "NIOHTTPTypes",
        "NIOHTTPTypesHTTP1", "HTTPTypes", "Crypto", "_CryptoExtras", "X509", "SwiftASN1", "Logging",
        "ServiceLifecycle", "UnixSignals", "JWTKit"},
    "shelflist": {
        "Bibliography", "Bounds", "Catalog", "Concurrency", "DelimitedText", "Downloads", "Identification", "Imaging", "Library",
        "Lookup", "Providers", "Reading", "Scans", "Server", "ShelflistAPI", "ShelflistClient", "SpineReading", "Storage",
        "Terminal", "WorkQueue", "ArgumentParser", "Configuration", "Logging", "SystemPackage"},
    # Test support and tools.
    "TestSupport": {"Concurrency"},
    "PictureEncoders": {"Bounds", "CImageCodecs", "Imaging"},
    "Fixtures": {"Bibliography", "Catalog", "DelimitedText", "Imaging", "PictureEncoders", "ShelflistAPI"},
    "ReadingFixtures": {"Bibliography", "Identification", "Imaging", "Reading", "ShelflistAPI", "SpineReading"},
    "ServerFixtures": {
        "Catalog", "Concurrency", "Downloads", "Fixtures", "Imaging", "Library", "Lookup", "Providers", "Reading",
        "ReadingFixtures", "Scans", "Server", "ShelflistAPI", "TestSupport", "Logging", "ServiceLifecycleTestKit"},
    "ShelfRendering": {"Fixtures", "Imaging", "ShelflistAPI"},
    "draw-shelf": {"Fixtures", "Imaging", "ShelfRendering", "ShelflistAPI", "ArgumentParser"},
    "matching-features": {
        "Bibliography", "Catalog", "Fixtures", "Identification", "Imaging", "Lookup", "ShelflistAPI", "SpineReading"},
    "measure-decoding": {"Imaging", "ArgumentParser"},
    "measure-library": {"Bibliography", "Fixtures", "Imaging", "Library", "ShelflistAPI", "ArgumentParser"},
    "drive-queue": {"Imaging", "Reading", "ShelflistAPI", "SpineReading", "WorkQueue", "ArgumentParser"},
    "test-server": {
        "Catalog", "Concurrency", "Downloads", "Imaging", "Library", "Lookup", "Providers", "Reading", "ReadingFixtures",
        "Scans", "Server", "ShelflistAPI", "ArgumentParser", "Logging", "NIOCore", "NIOPosix"},
    "fuzz-decoders": {"Fuzzing", "Imaging", "PictureEncoders"},
    "fuzz-parsers": {
        "Bibliography", "Catalog", "ClientInput", "Fuzzing", "Imaging", "Library", "Providers",
        "Reading", "ShelflistAPI", "SpineReading", "Terminal", "WorkQueue", "NIOCore", "NIOEmbedded", "NIOWebSocket"},
    "Fuzzing": set(),
}
# The dependencies of each test target, which may also import everything below them.
TESTS = {
    "BibliographyTests": {"Bibliography", "Fixtures", "TestSupport"},
    "CatalogTests": {"Bibliography", "Catalog", "DelimitedText", "Fixtures", "TestSupport"},
    "ProvidersTests": {"Bibliography", "Providers", "Fixtures", "TestSupport"},
    "LookupTests": {"Lookup", "Catalog", "Fixtures", "ReadingFixtures", "TestSupport"},
    "DownloadsTests": {"Downloads", "Catalog", "Fixtures", "TestSupport"},
    "LibraryTests": {"Library", "Fixtures", "TestSupport"},
    "ImagingTests": {"Imaging", "Fixtures", "TestSupport"},
    "InferenceTests": {"Inference", "Fixtures", "TestSupport"},
    "SpineReadingTests": {"SpineReading", "Fixtures", "TestSupport"},
    "IdentificationTests": {"Identification", "Fixtures", "TestSupport"},
    "ReadingTests": {"Reading", "Scans", "ShelfRendering", "Fixtures", "ReadingFixtures", "TestSupport"},
    "ScansTests": {"Scans", "Fixtures", "ReadingFixtures", "TestSupport"},
    "WorkQueueTests": {"WorkQueue", "Fixtures", "ReadingFixtures", "TestSupport"},
    "BoundsTests": {"Bounds"},
    "ConcurrencyTests": {"Concurrency"},
    "StorageTests": {"Storage", "TestSupport"},
    "ShelflistAPITests": {"ShelflistAPI"},
    "ServerTests": {
        "Server", "Fixtures", "ReadingFixtures", "ServerFixtures", "TestSupport", "NIOCore", "NIOEmbedded", "NIOHTTP1"},
    "ShelflistClientTests": {
        "ShelflistAPI", "ShelflistClient", "ShelflistClientTesting", "Server", "Fixtures", "ReadingFixtures",
        "ServerFixtures", "TestSupport", "NIOCore", "NIOPosix"},
    "ShelflistModelsTests": {
        "Catalog", "ShelflistAPI", "ShelflistModels", "ShelflistClientTesting", "Fixtures", "ReadingFixtures",
        "ServerFixtures", "TestSupport"},
    "ShelfScannerTests": {"ShelfScanner", "ShelfScannerCore", "ShelflistModels", "ShelflistClientTesting", "TestSupport"},
    "FixturesTests": {"Fixtures", "Imaging", "ShelfRendering", "Bibliography", "TestSupport"},
    "CommandTests": {
        "shelflist", "Fixtures", "ReadingFixtures", "ServerFixtures", "ShelflistAPI", "ShelflistClient", "TestSupport"},
}
# The folders that hold the targets, and the table of each.
FOLDERS = {"Sources": ARROWS, "Examples/Apple/Sources": ARROWS, "Tools": ARROWS, "Tests/Support": ARROWS, "Tests": TESTS}
# What apps share with the server: builds without C libraries and packages, for iOS too.
PORTABLE, PORTABLE_SYSTEM = {"ShelflistAPI", "Bibliography", "Bounds"}, {"Swift", "Foundation"}
# Part of the toolchain, without FoundationNetworking: only modules with an arrow to an HTTP library use HTTP.
SYSTEM = {
    "Swift", "Foundation", "CoreFoundation", "Dispatch", "CDispatch", "Synchronization", "Observation", "Glibc", "Darwin",
    "Security"}

# What the views import on Apple's platforms.
APPLE = {"SwiftUI", "UIKit", "AppKit", "AVFoundation", "CoreImage", "CoreMotion", "UniformTypeIdentifiers"}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)")
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def imports(source):
    """The (line number, module) of each import statement."""
    code = NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), source)
    for number, line in enumerate(code.split("\n"), 1):
        for statement in line.split(";"):
            if match := IMPORT.match(statement):
                yield number, match[1]


def below(target):
    """Returns every target that `target` reaches along the arrows, including itself."""
    reached, ahead = set(), [target]
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += ARROWS.get(name, ())
    return reached


def complete(direct):
    """Returns the dependencies of a test target with all modules of the project below them."""
    return direct | {name for target in direct for name in below(target) if name in ARROWS}


def unportable(arrows):
    """A sentence for each arrow that leads from a portable target to one that is not."""
    for target in sorted(PORTABLE):
        for other in sorted(arrows[target] - PORTABLE):
            yield f"{target} may not depend on {other}: apps build {target} without C libraries and packages."


def allowed(target):
    if target in PORTABLE:
        return PORTABLE_SYSTEM | {target} | ARROWS[target]
    if target in TESTS:
        return SYSTEM | {"Testing"}.union(*map(below, TESTS[target]))
    if target == "ShelfScanner":
        return SYSTEM | APPLE | ARROWS[target]
    return SYSTEM | {target} | ARROWS[target] | ({"Testing"} if target == "TestSupport" else set())


def violations(root):
    """Yields a sentence for each import without an arrow."""
    for parent, known in FOLDERS.items():
        for folder in sorted(path for path in (root / parent).glob("*") if path.is_dir()):
            if str(folder.relative_to(root)) in FOLDERS:
                continue
            if not any(folder.rglob("*.swift")) and folder.name not in known:
                continue  # not Swift: the tests of the web app
            if folder.name not in known:
                yield f"{folder.relative_to(root)}: this target is not in the table of Scripts/check_imports.py."
                continue
            permitted = allowed(folder.name)
            for file in sorted(folder.rglob("*.swift")):
                for number, module in imports(file.read_text(encoding="utf-8")):
                    if module not in permitted:
                        yield (f"{file.relative_to(root)}:{number}: {folder.name} may not import {module}. "
                               f"Allowed: {', '.join(sorted(permitted - SYSTEM - {folder.name})) or 'nothing of ours'}.")


def package_differences(package):
    """A sentence for each target whose dependencies in `swift package dump-package` are not the table's."""
    table = ARROWS | {name: complete(direct) for name, direct in TESTS.items()}
    found = {
        target["name"]: {next(iter(entry.values()))[0] for entry in target["dependencies"]}
        for target in package["targets"] if target["type"] != "plugin"}
    for name in sorted(table.keys() | found.keys()):
        if name not in found:
            yield f"Package.swift: the target {name} of the table is missing."
        elif name not in table:
            yield f"Package.swift: the target {name} is not in the table of Scripts/check_imports.py."
        elif table[name] != found[name]:
            yield (f"Package.swift: {name} depends on {', '.join(sorted(found[name])) or 'nothing'}; "
                   f"the table says {', '.join(sorted(table[name])) or 'nothing'}.")


def self_test():
    """Tests that the check can fail."""
    cases = [
        ("import Imaging", ["Imaging"]),
        ("public import struct Imaging.RGBImage", ["Imaging"]),
        ("@preconcurrency import Dispatch; import Imaging", ["Dispatch", "Imaging"]),
        ("@_spi(Testing) package import Imaging", ["Imaging"]),
        ("// import Imaging", []),
        ("/* a\nimport Imaging\n*/ import Inference", ["Inference"]),
        ('let text = """\nimport Imaging\n"""', []),
        ('let url = "https://example.org"\nimport Imaging', ["Imaging"]),
        ("important.things()", []),
    ]
    for source, expected in cases:
        found = [module for _, module in imports(source)]
        assert found == expected, f"{source!r}: found {found}, expected {expected}"
    assert not list(unportable(ARROWS))
    assert len(list(unportable(ARROWS | {"ShelflistAPI": {"Bibliography", "CZlib"}, "Bibliography": {"GRDB"}}))) == 2
    assert "Dispatch" not in allowed("ShelflistAPI") and "Dispatch" in allowed("Imaging")
    assert "Inference" in below("shelflist") and "shelflist" not in below("Scans")

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)

        def write(path, text):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)

        write("Sources/Imaging/Good.swift", "import CImageCodecs\nimport Foundation\n")
        write("Tests/ScansTests/Good.swift", "import Testing\nimport Inference\n")
        assert not list(violations(root)), list(violations(root))
        write("Sources/Imaging/Bad.swift", "import Foundation\npublic import Bibliography\n")
        write("Tests/ImagingTests/Bad.swift", "import Scans\n")
        write("Sources/Unknown/A.swift", "")
        found = [line.split(": ")[0] for line in violations(root)]
        assert found == ["Sources/Imaging/Bad.swift:2", "Sources/Unknown", "Tests/ImagingTests/Bad.swift:1"], found

    def package(changes):
        table = ARROWS | {name: complete(direct) for name, direct in TESTS.items()} | changes
        return {"targets": [
            {"name": name, "type": "regular", "dependencies": [{"byName": [other, None]} for other in others]}
            for name, others in table.items()]}

    assert not list(package_differences(package({})))
    assert len(list(package_differences(package({"Bibliography": {"Imaging"}, "Extra": set()})))) == 2
    assert len(list(package_differences(package({"ScansTests": TESTS["ScansTests"]})))) == 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parent.parent
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=root, check=True, stdout=subprocess.PIPE).stdout
    found = [*package_differences(json.loads(dump)), *unportable(ARROWS), *violations(root)]
    for line in found:
        print(line, file=sys.stderr)
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
