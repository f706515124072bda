"""Writes the licences of everything in an installation, and its bill of materials (SPDX 2.3).

usage: bom.py PREFIX VERSION EPOCH [PACKAGE[=VERSION]]...

PREFIX is a folder that Scripts/install/install.sh has filled. Each PACKAGE is a Debian package whose code is linked into
the program; with VERSION, one whose library in PREFIX is of another version than this machine's. Writes
PREFIX/share/shelflist/licenses and PREFIX/share/shelflist/sbom.spdx.json. Fails if a binary, a linked Swift module or a
needed library belongs to no component, and if a component has no licence.
"""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPS = ROOT / ".deps"
CHECKOUTS = ROOT / ".build/checkouts"
OBJECTS = ROOT / ".build/release/shelflist.product/Objects.LinkFileList"
OPENVINO = re.compile(r"lib(openvino\w*|tbb\w*|hwloc)\.(so|dylib|[0-9])")


class Missing(Exception):
    """Something is shipped that no component explains, or that has no licence."""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def component(name, version, licence, source, texts, purl=None):
    """Returns a component; `texts` are the files that have to accompany it."""
    texts = [pathlib.Path(text) for text in texts]
    if not texts or not all(text.is_file() for text in texts):
        raise Missing(f"{name} has no licence file ({', '.join(map(str, texts)) or 'none named'})")
    return {"name": name, "version": version, "licence": licence, "source": source, "texts": texts, "purl": purl}


def licence_of(path):
    """Returns the SPDX identifier of a licence's text."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if "Apache License" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise Missing(f"{path} is a licence that bom.py does not know. Add it to licence_of")


def linked_modules():
    """Returns the modules whose objects are in the program."""
    return set(re.findall(r"/release/([^/]+)\.build/", OBJECTS.read_text(encoding="utf-8")))


def swift_packages():
    """Returns the Swift packages of which a module is linked into the program."""
    own = {path.name for folder in ("Sources", "Tools", "Tests/Support") for path in (ROOT / folder).iterdir()}
    homes = {}
    for manifest in sorted(CHECKOUTS.glob("*/Package.swift")):
        # CryptoExtras has its sources in a folder of another name; manifests name every module.
        for name in re.findall(r'name:\s*"([^"]+)"', manifest.read_text(encoding="utf-8")):
            if (manifest.parent / "Sources" / name).is_dir():
                homes.setdefault(name, manifest.parent)
    for module in linked_modules() - own - set(homes):
        homes[module] = declared_in(module)
    used = {homes[module].name.lower() for module in linked_modules() - own}
    for line in (ROOT / "Scripts/setup/swift-packages.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        identity, address, version, commit = line.split()
        folder = next((path for path in CHECKOUTS.iterdir() if path.name.lower() == identity), None)
        if identity not in used or folder is None:
            continue
        used.remove(identity)
        texts = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[sc]e|notice)", path.name))
        licence = next((licence_of(path) for path in texts if path.name.lower().startswith("licen")), None)
        yield component(identity, version, licence, f"git+{address}@{commit}", texts,
                        "pkg:swift/" + address.removeprefix("https://").removesuffix(".git") + f"@{version}")
    if used:
        raise Missing(f"{', '.join(sorted(used))}: not in Scripts/setup/swift-packages.txt")


def declared_in(module):
    for manifest in sorted(CHECKOUTS.glob("*/Package.swift")):
        if re.search(rf'name:\s*"{re.escape(module)}"', manifest.read_text(encoding="utf-8")):
            return manifest.parent
    raise Missing(f"The module {module} is linked into the program, and belongs to no Swift package")


def swift_runtime():
    """Returns the components of the Swift runtime that are linked into the program."""
    compiler = pathlib.Path(shutil.which("swiftc")).resolve()
    version = re.search(r"Swift version ([0-9.]+)", run("swiftc", "--version"))[1]
    yield component("swift-runtime", version, "Apache-2.0 WITH Swift-exception", "https://swift.org",
                    [compiler.parents[1] / "share/swift/LICENSE.txt"])
    # Foundation contains ICU. The toolchain has no copy of its licence; Debian's package has.
    yield component("icu", f"in swift-runtime {version}", "Unicode-3.0",
                    "https://github.com/swiftlang/swift-foundation-icu", ["/usr/share/doc/libicu72/copyright"])


def wheels():
    pins = dict(re.findall(r"^(\w+)==(\S+)", (ROOT / "Scripts/setup/wheels.txt").read_text(encoding="utf-8"), re.M))
    yield component("openvino", pins["openvino"], "Apache-2.0", "https://github.com/openvinotoolkit/openvino",
                    sorted((DEPS / "openvino/licenses").iterdir()), f"pkg:pypi/openvino@{pins['openvino']}")
    yield component("rapidocr-models", pins["rapidocr"], "Apache-2.0", "https://github.com/RapidAI/RapidOCR",
                    sorted((DEPS / "models/licenses").iterdir()), f"pkg:pypi/rapidocr@{pins['rapidocr']}")


def digest(path):
    return hashlib.sha256((ROOT / path).read_bytes()).hexdigest()[:12]


def data():
    for name, decision in [
            ("detection-int8.bin", "0032-detection"), ("detection-tiny.onnx", "0032-detection"),
            ("recognition-latin-int8.onnx", "0024-eight-bit-recogniser"), ("recognition-tiny.onnx", "0023-faster-reading")]:
        yield component(name.split(".")[0], digest(f"Data/models/{name}"), "Apache-2.0", f"docs/decisions/{decision}.md",
                        [*sorted((DEPS / "models/licenses").iterdir()), ROOT / "Data/models/NOTICE"])
    yield component("inter", run("dpkg-query", "-W", "-f", "${Version}", "fonts-inter"), "OFL-1.1",
                    "https://rsms.me/inter", [DEPS / "fonts/label.license"])
    source = (ROOT / "Scripts/barcode/build.sh").read_text(encoding="utf-8")
    version, llvm, wasi_libc = (re.search(rf"^{name}=(\S+)$", source, re.M)[1] for name in ("version", "llvm", "wasi_libc"))
    # The file has the notices of all that is linked into the module.
    notices = [ROOT / "Web/vendor/zxing.LICENSE.txt"]
    yield component("zxing-cpp", version, "Apache-2.0", "https://github.com/zxing-cpp/zxing-cpp", notices,
                    f"pkg:pypi/zxing-cpp@{version}")
    for name in ["libc++", "libc++abi", "compiler-rt"]:
        yield component(name, llvm, "Apache-2.0 WITH LLVM-exception", "https://github.com/llvm/llvm-project", notices)
    yield component("wasi-libc", wasi_libc, "MIT AND BSD-2-Clause AND CC0-1.0", "https://github.com/WebAssembly/wasi-libc",
                    notices, f"pkg:deb/debian/wasi-libc@{wasi_libc}")
    yield component("starter-list", digest("Data/starter.csv.gz"), "CC0-1.0", "docs/decisions/0018-starter-list.md",
                    ["/usr/share/common-licenses/CC0-1.0"])


def debian_package_of(library):
    """Returns the Debian package that contains a library of this machine."""
    path = pathlib.Path(library)
    for candidate in (path, path.resolve(), pathlib.Path("/usr") / str(path.resolve()).lstrip("/"),
                      pathlib.Path(str(path.resolve()).removeprefix("/usr"))):
        found = subprocess.run(["dpkg", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise Missing(f"{library} belongs to no Debian package")


def debian_component(package, versions):
    version = versions.get(package) or run("dpkg-query", "-W", "-f", "${Version}\n", package).split()[0]
    return component(package, version, "NOASSERTION", f"https://packages.debian.org/{package}",
                     [f"/usr/share/doc/{package}/copyright"], f"pkg:deb/debian/{package}@{version}")


def is_elf(path):
    return path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"


def binaries(prefix):
    return sorted(path for folder in ("bin/shelflist", "lib/shelflist")
                  for path in ([prefix / folder] if folder.startswith("bin") else (prefix / folder).iterdir())
                  if is_elf(path))


def needed(path):
    return re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", path))


def from_debian(prefix, linked, versions):
    """Returns the Debian packages whose libraries are shipped, and those that the machine has to provide."""
    shipped, provided = {package: debian_component(package, versions) for package in linked}, {}
    known = {line.split()[0]: line.split()[-1] for line in run("/sbin/ldconfig", "-p").splitlines() if "=>" in line}
    files = binaries(prefix)
    present = {path.name for path in files}
    for path in files:
        if path.name != "shelflist" and not OPENVINO.match(path.name):
            package = debian_package_of(known.get(path.name, path.name))
            shipped[package] = debian_component(package, versions)
    for library in {library for path in files for library in needed(path)} - present:
        if library not in known:
            raise Missing(f"{library} is needed and neither shipped nor installed")
        package = debian_package_of(known[library])
        provided[package] = debian_component(package, versions)
    return list(shipped.values()), [value for key, value in sorted(provided.items()) if key not in shipped]


def write_licences(folder, components):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", folder / "shelflist")
    for part in components:
        (folder / part["name"]).mkdir()
        for text in part["texts"]:
            shutil.copyfile(text, folder / part["name"] / text.name)


def document(version, epoch, files, shipped, provided):
    def entry(part, identifier):
        known = {"SPDXID": identifier, "name": part["name"], "versionInfo": part["version"], "filesAnalyzed": False,
                 "downloadLocation": part["source"] if "://" in part["source"] else "NOASSERTION",
                 "licenseConcluded": "NOASSERTION", "licenseDeclared": part["licence"],
                 "copyrightText": "NOASSERTION"}
        if part["licence"] == "NOASSERTION":
            known["licenseComments"] = f"The package's copyright file lists its licences (licenses/{part['name']})."
        if part["purl"]:
            known["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                      "referenceLocator": part["purl"]}]
        return known

    def identified(parts):
        return [(part, "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part["name"])) for part in parts]

    program = {"name": "shelflist", "version": version, "licence": "Apache-2.0", "purl": None,
               "source": "https://github.com/shelflist/shelflist"}
    own = "SPDXRef-shelflist"
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own)]
    relations += [(own, "CONTAINS", identifier) for _, identifier in identified(shipped)]
    relations += [(own, "DEPENDS_ON", identifier) for _, identifier in identified(provided)]
    listed = []
    for name, content in files:
        identifier = "SPDXRef-File-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
        sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, content).hexdigest()}
                for kind in ("sha1", "sha256")]
        listed.append({"SPDXID": identifier, "fileName": f"./{name}", "checksums": sums,
                       "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"})
        relations.append((own, "CONTAINS", identifier))
    own_entry = entry(program, own)
    # SPDX 2.3, 7.9: the SHA-1 of the files' SHA-1 values in order.
    sums = sorted(file["checksums"][0]["checksumValue"] for file in listed)
    own_entry |= {"filesAnalyzed": True, "licenseInfoFromFiles": ["NOASSERTION"], "packageVerificationCode": {
        "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()}}
    digest = hashlib.sha256(json.dumps([listed, [part["version"] for part in shipped]]).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"shelflist-{version}",
        "documentNamespace": f"https://github.com/shelflist/shelflist/sbom/{version}-{digest[:16]}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
                         "creators": ["Tool: Scripts/package/bom.py"]},
        "packages": [own_entry] + [entry(*pair) for pair in identified(shipped + provided)],
        "files": listed,
        "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                          for one, kind, other in relations],
    }


def main():
    prefix, version, epoch = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    resources = prefix / "share/shelflist"
    named = [argument.partition("=") for argument in sys.argv[4:]]
    linked = [package for package, _, given in named if not given]
    bundled, provided = from_debian(prefix, linked, {package: given for package, _, given in named if given})
    shipped = sorted([*swift_packages(), *swift_runtime(), *wheels(), *data(), *bundled], key=lambda part: part["name"])
    write_licences(resources / "licenses", shipped)
    files = [(str(path.relative_to(prefix)), path.read_bytes())
             for path in binaries(prefix) + sorted((resources / "models").glob("*.onnx"))]
    bill = document(version, epoch, files, shipped, provided)
    (resources / "sbom.spdx.json").write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except Missing as problem:
        raise SystemExit(f"bom: {problem}.")
