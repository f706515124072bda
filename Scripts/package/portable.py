"""Makes what the tarball is linked with, in .deps/portable, so that it runs with glibc 2.31.

    sysroot/  glibc 2.31 and libstdc++ 10, from the packages of Debian 11
    lib/      static image libraries and SQLite of this machine's packages; libheif and libde265, built from Debian's sources
    packages  the Debian packages whose code is shipped, with the versions of those that differ from this machine's

Static libraries refer to no version of glibc. libheif and libde265 have none, and their licence (LGPL) asks for shared
libraries: they are compiled with the headers of Debian 11, without encoders and AVIF. All sources are those of this
machine's Debian release, with its security fixes. It is made again when its recipe or these packages change.
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import debian_root

ROOT = debian_root.ROOT
PLACE = ROOT / ".deps/portable"
MULTIARCH = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], check=True, capture_output=True, text=True).stdout.strip()
# Packages of Debian 11: for linking, and the two libraries of them that are shipped.
SYSROOT = ["libc6", "libc6-dev", "linux-libc-dev", "libgcc-10-dev", "libstdc++-10-dev"]
RUNTIME = {"libstdc++6": "libstdc++.so.6", "libgcc-s1": "libgcc_s.so.1"}
STATIC = {"libsqlite3-0": ["sqlite3"], "libwebp7": ["webp"], "libwebpdemux2": ["webpdemux"], "libfreetype6": ["freetype"],
          "libpng16-16": ["png16"], "libjpeg62-turbo": ["jpeg"], "zlib1g": ["z"], "libbrotli1": ["brotlidec", "brotlicommon"]}
SHARED = {"libqrencode4": "libqrencode.so.4"}
BUILT = {"libde265-0": "libde265", "libheif1": "libheif"}
OPTIONS = {
    "libde265": {"ENABLE_SDL": "OFF", "ENABLE_DECODER": "OFF"},
    "libheif": {"ENABLE_PLUGIN_LOADING": "OFF", "WITH_EXAMPLES": "OFF", "BUILD_TESTING": "OFF", **dict.fromkeys(
        ["WITH_X265", "WITH_DAV1D", "WITH_AOM_ENCODER", "WITH_AOM_DECODER", "WITH_SvtEnc", "WITH_RAV1E",
         "WITH_DEFLATE_HEADER_COMPRESSION"], "OFF")},
}


def run(*words, **options):
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"portable: {' '.join(map(str, words))} failed:\n{done.stdout[-3000:]}")
    return done.stdout


def installed(package):
    return run("dpkg-query", "-W", "-f", "${Version}\n", package).split()[0]


def compiler(name):
    """Returns a tool of the Swift toolchain."""
    return pathlib.Path(shutil.which("swiftc")).resolve().parent / name


def stamp():
    recipe = [pathlib.Path(__file__).read_bytes(), (ROOT / "Scripts/package/portable.cc").read_bytes()]
    versions = [installed(package) for package in [*STATIC, *SHARED, *BUILT]]
    return hashlib.sha256(b"".join(recipe) + "\n".join(versions).encode()).hexdigest()


def make_sysroot(place):
    """Unpacks the packages of Debian 11, and returns the versions of those that are shipped."""
    with tempfile.TemporaryDirectory(prefix="shelflist-sysroot-") as folder:
        system = debian_root.System(folder, "bullseye")
        try:
            system.run("apt-get", "update")
            system.run("sh", "-c", f"cd /tmp && apt-get download -o APT::Sandbox::User=root {' '.join([*SYSROOT, *RUNTIME])}")
            archives = sorted((system.folder / "tmp").glob("*.deb"))
            for archive in archives:
                run("dpkg-deb", "-x", archive, place)
            versions = {archive.name.split("_")[0]: archive.name.split("_")[1].replace("%3a", ":") for archive in archives}
        finally:
            system.close()
    for link in place.rglob("*"):
        if link.is_symlink() and os.readlink(link).startswith("/"):
            target = place / os.readlink(link).lstrip("/")
            link.unlink()
            link.symlink_to(os.path.relpath(target, link.parent))
    return {package: versions[package] for package in RUNTIME} | {"libc6": versions["libc6"].split("-")[0]}


def source(name, version, work):
    """Unpacks a source package with Debian's patches, and returns its folder.

    apt has verified the index with the checksums, and apt-helper checks them. The original archive of a security update
    is also in the release, where some mirrors have it only.
    """
    main = debian_root.mirror()
    security = re.sub(r"debian/?$", "debian-security", main)
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (work / "lists/partial").mkdir(parents=True, exist_ok=True)
    (work / "sources.list").write_text("".join(
        f"deb-src [signed-by={keyring}] {place} {suite} main\n"
        for place, suite in [(main, debian_root.suite()), (security, f"{debian_root.suite()}-security")]), encoding="utf-8")
    apt = ["-o", f"Dir::Etc::SourceList={work}/sources.list", "-o", "Dir::Etc::SourceParts=/dev/null",
           "-o", f"Dir::State::Lists={work}/lists", "-o", "Dir::Cache::SrcPkgCache=", "-o", "Dir::Cache::PkgCache="]
    run("apt-get", *apt, "update")
    folder = work / name
    folder.mkdir()
    listed = run("apt-get", *apt, "source", "--print-uris", f"{name}={version}")
    archives = re.findall(r"^'(\S+)' (\S+\.tar\.\w+) \d+ (\S+)$", listed, re.M)
    for address, archive, checksum in sorted(archives, key=lambda entry: ".orig." not in entry[1]):
        places = [address, address.replace("debian-security/pool/updates", "debian/pool")]
        for place in places:
            done = subprocess.run(["/usr/lib/apt/apt-helper", "-o", "APT::Sandbox::User=root", "download-file", place,
                                   work / archive, checksum], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode == 0:
                break
        else:
            raise SystemExit(f"portable: {archive} could not be fetched:\n{done.stdout}")
        run("tar", "-xf", work / archive, "-C", folder, *(["--strip-components=1"] if ".orig." in archive else []))
    for patch in (folder / "debian/patches/series").read_text(encoding="utf-8").splitlines():
        if patch.strip() and not patch.startswith("#"):
            run("patch", "-s", "-p1", "-i", folder / "debian/patches" / patch.split()[0], cwd=folder)
    return folder


def build(name, folder, work, sysroot, out):
    """Compiles a library with the headers of Debian 11 into `out`."""
    options = {"CMAKE_TOOLCHAIN_FILE": work / "toolchain.cmake", "CMAKE_BUILD_TYPE": "Release", "CMAKE_INSTALL_PREFIX": out,
               "CMAKE_INSTALL_LIBDIR": "lib", "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON", **OPTIONS[name]}
    (work / "toolchain.cmake").write_text(
        f"set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSROOT {sysroot})\n"
        f"set(CMAKE_C_COMPILER {compiler('clang')})\nset(CMAKE_CXX_COMPILER {compiler('clang++')})\n"
        f'set(CMAKE_C_FLAGS_INIT "-fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffile-prefix-map={work}=.")\n'
        f'set(CMAKE_CXX_FLAGS_INIT "${{CMAKE_C_FLAGS_INIT}}")\n'
        'set(CMAKE_SHARED_LINKER_FLAGS_INIT "-Wl,-z,relro,-z,now")\n'
        f"set(CMAKE_FIND_ROOT_PATH {out} {sysroot})\nset(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)\n"
        + "".join(f"set(CMAKE_FIND_ROOT_PATH_MODE_{kind} ONLY)\n" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")),
        encoding="utf-8")
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(out / "lib/pkgconfig")}
    run("cmake", "-S", folder, "-B", work / f"build-{name}", *(f"-D{key}={value}" for key, value in options.items()),
        env=environment)
    run("cmake", "--build", work / f"build-{name}", "--parallel")
    run("cmake", "--install", work / f"build-{name}")


def make():
    work = PLACE.with_name("portable.work")
    for folder in (PLACE, work):
        shutil.rmtree(folder, ignore_errors=True)
    new = work / "new"
    sysroot, library, out = new / "sysroot", new / "lib", work / "out"
    for folder in (sysroot, library, out):
        folder.mkdir(parents=True)
    versions = make_sysroot(sysroot)
    system = pathlib.Path("/usr/lib") / MULTIARCH
    for name in (name for names in STATIC.values() for name in names):
        shutil.copy(system / f"lib{name}.a", library / f"lib{name.removesuffix('16')}.a")
    for name in SHARED.values():
        shutil.copy(system / name, library)
    for file in RUNTIME.values():
        shutil.copy((next(sysroot.rglob(file))).resolve(), library / file)
    for package, name in BUILT.items():
        versions[package] = installed(package)
        build(name, source(name, versions[package], work), work, sysroot, out)
        if name == "libde265":  # whose build does not name it as Debian does
            run("patchelf", "--set-soname", "libde265.so.0", out / "lib/libde265.so")
            shutil.copy(out / "lib/libde265.so", library / "libde265.so.0")
        else:
            shutil.copy((out / "lib/libheif.so.1").resolve(), library / "libheif.so.1")
            run("patchelf", "--remove-rpath", library / "libheif.so.1")
    for file in library.glob("*.so.*"):
        if file.name not in RUNTIME.values():
            (library / (file.name.split(".so")[0] + ".so")).symlink_to(file.name)
    run(compiler("clang++"), f"--sysroot={sysroot}", "-O2", "-fPIC", "-c", ROOT / "Scripts/package/portable.cc",
        "-o", library / "portable.o")
    # bom.py gets these.
    names = [*STATIC, *(f"{package}={version}" for package, version in versions.items())]
    (new / "packages").write_text("\n".join(names) + "\n", encoding="utf-8")
    (new / "stamp").write_text(stamp(), encoding="utf-8")
    new.rename(PLACE)
    shutil.rmtree(work)


if __name__ == "__main__":
    if not (PLACE / "stamp").is_file() or (PLACE / "stamp").read_text(encoding="utf-8") != stamp():
        print("==> Making the libraries of the tarball (once, about two minutes)", flush=True)
        make()
