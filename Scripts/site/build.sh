#!/usr/bin/env bash
# Builds the site of the documents into dist/site, and checks it: every warning is an error, and so are links without a
# target and requests to other hosts.
set -euo pipefail
cd "$(dirname "$0")/../.."
Scripts/setup/python_tools.sh Scripts/setup/wheels-site.txt .deps/site "the generator of the site (about 25 MB)"
export PYTHONPATH=$PWD/.deps/site PYTHONDONTWRITEBYTECODE=1
# Without --quiet, with which MkDocs does not count warnings. Material prints a notice about MkDocs 2, which is not used here.
NO_MKDOCS_2_WARNING=1 python3 -m mkdocs build --clean --strict
python3 Scripts/site/check_site.py --self-test
python3 Scripts/site/check_site.py dist/site
