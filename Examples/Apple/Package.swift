// swift-tools-version: 6.2
import PackageDescription

// For Xcode. In a checkout on Linux, Package.swift of the repository builds the same folders.

let package = Package(
    name: "ShelfScanner",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "ShelfScanner", targets: ["ShelfScanner", "ShelfScannerCore"])],
    // Without the server, so that none of its packages is downloaded.
    dependencies: [.package(name: "shelflist", path: "../..", traits: [])],
    targets: [
        .target(
            name: "ShelfScannerCore", dependencies: [.product(name: "ShelflistClient", package: "shelflist")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
        .target(
            name: "ShelfScanner", dependencies: ["ShelfScannerCore"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
            ]),
    ]
)
