"""Validates bills of materials against SPDX 2.3.

usage: PYTHONPATH=.deps/sbom check_sbom.py FILE...
"""
import sys

from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

failed = False
for path in sys.argv[1:]:
    for problem in validate_full_spdx_document(parse_file(path)):
        print(f"{path}: {problem.validation_message}", file=sys.stderr)
        failed = True
sys.exit(failed)
