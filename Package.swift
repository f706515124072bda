// swift-tools-version: 6.2
import PackageDescription

// The layout is the architecture: an arrow in `dependencies` is an import that is allowed, and
// Scripts/check_imports.py holds every source file to it.

// Where the system's linker looks beside the program, and FreeType's headers: Debian keeps them in a folder of
// their own, Homebrew below its prefix.
#if os(macOS)
    let programFolder = "@loader_path"
    let freeTypeHeaders = "/opt/homebrew/include/freetype2"
#else
    let programFolder = "$ORIGIN"
    let freeTypeHeaders = "/usr/include/freetype2"
#endif

// OpenVINO is unpacked from its wheel by Scripts/setup/setup.sh. Its libraries are found at run time
// beside the installed binary (first path) or, in a checkout, where setup put them (second path).
let openVINO = Context.environment["SHELFLIST_OPENVINO"] ?? "\(Context.packageDirectory)/.deps/openvino"
let openVINOLinking: [LinkerSetting] = [
    .unsafeFlags([
        "-L\(openVINO)/lib",
        "-Xlinker", "-rpath", "-Xlinker", "\(programFolder)/../lib/shelflist",
        "-Xlinker", "-rpath", "-Xlinker", "\(openVINO)/lib",
    ]),
    .linkedLibrary("openvino_c"),
]
let openVINOHeaders: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I\(openVINO)/include"])]

let freeTypeSwiftHeaders: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I\(freeTypeHeaders)"])]

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // A warning fails every build, an incremental one too: no log has to be searched for it.
    .treatAllWarnings(as: .error),
]

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "shelflist",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "shelflist", targets: ["shelflist"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        // C libraries, each behind the smallest shim that Swift needs.
        .target(
            name: "CImageCodecs",
            cSettings: strictC,
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"),
                .linkedLibrary("webpdemux"), .linkedLibrary("heif"),
            ]),
        .target(
            name: "CFreeType",
            cSettings: strictC + [.unsafeFlags(["-I\(freeTypeHeaders)"])],
            linkerSettings: [.linkedLibrary("freetype")]),
        .target(
            name: "COpenVINO",
            cSettings: strictC + [.unsafeFlags(["-I\(openVINO)/include"])],
            linkerSettings: openVINOLinking),
        .target(name: "CZlib", cSettings: strictC, linkerSettings: [.linkedLibrary("z")]),

        // The rooms.
        .target(name: "Bibliography", swiftSettings: strict),
        .target(
            name: "Catalog",
            dependencies: [
                "Bibliography", "CZlib", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "Providers",
            dependencies: [
                "Bibliography", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(
            name: "Imaging", dependencies: ["CImageCodecs", "CFreeType"],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "Library",
            dependencies: ["Bibliography", "Imaging", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(name: "Inference", dependencies: ["COpenVINO"], swiftSettings: strict + openVINOHeaders),
        .target(
            name: "SpineReading", dependencies: ["Imaging", "Inference"],
            swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders),
        .target(
            name: "Identification", dependencies: ["Bibliography", "SpineReading", "Imaging"],
            swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders),
        .target(
            name: "Scanning",
            dependencies: ["Bibliography", "Identification", "SpineReading", "Inference", "Imaging", "Library"],
            swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders),
        .executableTarget(
            name: "shelflist",
            dependencies: [
                "Bibliography", "Catalog", "Identification", "Imaging", "Library", "Providers", "Scanning", "SpineReading",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders),

        // Test support and tests.
        .target(
            name: "Fixtures", dependencies: ["Bibliography", "Imaging"],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "draw-shelf",
            dependencies: [
                "Fixtures", "Imaging", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "fuzz-decoders", dependencies: ["Imaging"], swiftSettings: strict + freeTypeSwiftHeaders),
    ]
)

for name in ["Bibliography", "Imaging", "Inference", "SpineReading", "Identification", "Scanning"] {
    package.targets.append(
        .testTarget(
            name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "Fixtures"],
            swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders))
}
package.targets.append(
    .testTarget(
        name: "CatalogTests", dependencies: ["Bibliography", "Catalog"],
        exclude: ["Fixtures/make_marc_fixtures.py"], resources: [.copy("Fixtures")], swiftSettings: strict))
package.targets.append(
    .testTarget(
        name: "LibraryTests", dependencies: ["Library", "Fixtures"], swiftSettings: strict + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(name: "ProvidersTests", dependencies: ["Bibliography", "Providers"], swiftSettings: strict))
package.targets.append(
    .testTarget(
        name: "FixturesTests", dependencies: ["Fixtures", "Imaging", "Scanning", "Bibliography"],
        swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "CommandTests", dependencies: ["shelflist", "Fixtures"],
        swiftSettings: strict + openVINOHeaders + freeTypeSwiftHeaders))
