#!/usr/bin/env python3
"""Prepares a folder in which OpenVINO takes the processor for one without AVX-512, bfloat16 and AMX.

usage: prepare.py FOLDER [PACKAGE]      (Linux, x86-64; needs cc and objdump)

Writes copies of the libraries in .deps/openvino in which a breakpoint replaces each CPUID instruction, and libcpuid.so,
which answers these breakpoints. Programs use them with

    LD_PRELOAD=FOLDER/libcpuid.so LD_LIBRARY_PATH=FOLDER

PACKAGE is the folder of a Python package with libraries of its own, such as onnxruntime. A copy that is changed in the
same way is written to FOLDER/python, for PYTHONPATH.

ONEDNN_MAX_CPU_ISA=AVX2 is not enough on a processor with AVX-512: it limits oneDNN, but not the kernels of OpenVINO's
own, and OpenVINO 2026.4.1 then finds no implementation for some layers.
"""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = HERE.parent.parent / ".deps/openvino/lib"
CPUID, BREAKPOINT = b"\x0f\xa2", b"\xcc\x90"


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def prepare(library):
    """Replaces each CPUID instruction of the file `library` and returns their number."""
    sections = [
        tuple(int(number, 16) for number in match)  # address, offset in the file, size
        for match in re.findall(r"PROGBITS\s+(\w+) (\w+) (\w+) ", output("readelf", "--sections", "--wide", library))]
    code = bytearray(library.read_bytes())
    addresses = [
        int(line.split(":")[0], 16)
        for line in output("objdump", "--disassemble", "--no-show-raw-insn", library).splitlines()
        if re.search(r"\tcpuid\b", line)]
    for address in addresses:
        offset = next(address - start + file for start, file, size in sections if start <= address < start + size)
        if code[offset:offset + 2] != CPUID:
            sys.exit(f"{library}: the bytes at {offset:#x} are not a CPUID instruction.")
        code[offset:offset + 2] = BREAKPOINT
    library.write_bytes(code)
    return len(addresses)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    shutil.copytree(LIBRARIES, folder, symlinks=True, dirs_exist_ok=True)
    replaced = sum(prepare(library) for library in folder.glob("*.so*") if not library.is_symlink())
    if not replaced:
        sys.exit(f"The libraries in {LIBRARIES} contain no CPUID instruction. Is this an x86-64 build?")
    for package in map(pathlib.Path, sys.argv[2:]):
        copy = folder / "python" / package.name
        shutil.copytree(package, copy, symlinks=True, dirs_exist_ok=True)
        for library in copy.rglob("*.so*"):
            prepare(library)
    subprocess.run(
        ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Wl,-z,initfirst",
         "-o", folder / "libcpuid.so", HERE / "cpuid.c"], check=True)


if __name__ == "__main__":
    main()
