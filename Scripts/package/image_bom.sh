#!/bin/sh
# Prints the bill of materials of the image that it runs in (SPDX 2.3): all of its Debian packages. What the package
# shelflist consists of is in /usr/share/shelflist/sbom.spdx.json, the licences are in /usr/share/doc/*/copyright.
set -e
version=$(dpkg-query -W -f '${Version}' shelflist)
created=$(date -u -d "@$(stat -c %Y /usr/share/shelflist/sbom.spdx.json)" +%Y-%m-%dT%H:%M:%SZ)
sum=$(dpkg-query -W | sha256sum | cut -c 1-16)
cat <<END
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: shelflist-image-$version
DocumentNamespace: https://github.com/shelflist/shelflist/sbom/image-$version-$sum
Creator: Tool: Scripts/package/image_bom.sh
Created: $created
END
dpkg-query -W -f '
PackageName: ${Package}
SPDXID: SPDXRef-${Package}
PackageVersion: ${Version}
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared: NOASSERTION
PackageLicenseComments: <text>/usr/share/doc/${Package}/copyright lists its licences.</text>
PackageCopyrightText: NOASSERTION
ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/${Package}@${Version}?arch=${Architecture}
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-${Package}
' | sed -E '/^(SPDXID|Relationship)/{s/\+/-plus/g;s/_/-/g}'
