// swift-tools-version: 6.2
import PackageDescription

// The layout is the architecture: an arrow in `dependencies` is an import that is allowed, and
// Scripts/check_imports.py holds every source file to it.

// Where the system's linker looks beside the program, and the headers of FreeType and libpq: Debian keeps them in
// folders of their own, Homebrew below its prefix.
#if os(macOS)
    let programFolder = "@loader_path"
    let freeTypeHeaders = "/opt/homebrew/include/freetype2"
    let postgresHeaders = "/opt/homebrew/opt/libpq/include"
#else
    let programFolder = "$ORIGIN"
    let freeTypeHeaders = "/usr/include/freetype2"
    let postgresHeaders = "/usr/include/postgresql"
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
    .linkedLibrary("openvino"),
]
let freeTypeSwiftHeaders: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I\(freeTypeHeaders)"])]

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // A warning fails every build, an incremental one too: no log has to be searched for it.
    .treatAllWarnings(as: .error),
]

// Compiling tests without optimisation takes half of the time, and running them no longer.
let testing = strict + [.unsafeFlags(["-Onone"])]

let strictC: [CSetting] = [.treatAllWarnings(as: .error)]
let strictCXX: [CXXSetting] = [.treatAllWarnings(as: .error)]

// Apple's platforms have URLSession.
let onLinux = TargetDependencyCondition.when(platforms: [.linux])

let package = Package(
    name: "shelflist",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "shelflist", targets: ["shelflist"]),
        .executable(name: "read-photo", targets: ["read-photo"]),
        .library(name: "ShelflistClient", targets: ["ShelflistClient", "ShelflistModels"]),
        .library(name: "ShelflistClientTesting", targets: ["ShelflistClientTesting"]),
    ],
    // Apps for Apple's platforms turn it off, and then download no package: `.package(path: "…", traits: [])`.
    traits: [
        .trait(name: "Server", description: "What the server, and the client on Linux, need of other packages."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
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
        // Loads a library when it is used.
        .target(name: "CDynamicLibrary", cSettings: strictC),
        .target(
            name: "CFreeType",
            cSettings: strictC + [.unsafeFlags(["-I\(freeTypeHeaders)"])],
            linkerSettings: [.linkedLibrary("freetype")]),
        .target(
            name: "COpenVINO",
            // System headers, because their warnings are not ours to settle.
            cxxSettings: strictCXX + [.unsafeFlags(["-isystem", "\(openVINO)/include"])],
            linkerSettings: openVINOLinking),
        // Loads libpq when it is used: nothing is linked.
        .target(
            name: "CPostgres", dependencies: ["CDynamicLibrary"],
            cSettings: strictC + [.unsafeFlags(["-I\(postgresHeaders)"])]),
        .systemLibrary(name: "CQRCode"),
        .target(name: "CSandbox", cSettings: strictC),
        // Loads libtesseract when it is used: nothing is linked.
        .target(name: "CTesseract", dependencies: ["CDynamicLibrary"], cSettings: strictC),
        .target(name: "CZlib", cSettings: strictC, linkerSettings: [.linkedLibrary("z")]),

        // The modules.
        .target(name: "Bounds", swiftSettings: strict),
        .target(name: "Bibliography", dependencies: ["Bounds"], swiftSettings: strict),
        .target(name: "Concurrency", swiftSettings: strict),
        .target(name: "Storage", dependencies: ["Bounds", "ShelflistAPI"], swiftSettings: strict),
        .target(
            name: "DelimitedText", dependencies: ["Bibliography", "Bounds", "ShelflistAPI"], swiftSettings: strict),
        .target(
            name: "ClientInput",
            dependencies: [
                "ShelflistAPI", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(name: "ShelflistAPI", dependencies: ["Bibliography"], swiftSettings: strict),
        // For apps: no C library of ours, and on Apple's platforms no package.
        .target(
            name: "ShelflistClient",
            dependencies: [
                "Bibliography", "Bounds", "ShelflistAPI",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: onLinux),
                .product(name: "NIOCore", package: "swift-nio", condition: onLinux),
                .product(name: "NIOPosix", package: "swift-nio", condition: onLinux),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: onLinux),
                .product(name: "NIOWebSocket", package: "swift-nio", condition: onLinux),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: onLinux),
                .product(name: "Crypto", package: "swift-crypto", condition: onLinux),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: onLinux),
                .product(name: "X509", package: "swift-certificates", condition: onLinux),
            ],
            swiftSettings: strict),
        // State to bind an app's views to.
        .target(
            name: "ShelflistModels", dependencies: ["Bibliography", "ShelflistAPI", "ShelflistClient"],
            swiftSettings: strict),
        // A server that answers from a script, for previews and tests of apps.
        .target(
            name: "ShelflistClientTesting",
            dependencies: ["Bibliography", "Bounds", "ShelflistAPI", "ShelflistClient"],
            swiftSettings: strict),
        // The sample app without its views: only what apps can use, so not with the package's own access.
        .target(
            name: "ShelfScannerCore", dependencies: ["ShelflistModels"],
            path: "Examples/Apple/Sources/ShelfScannerCore",
            packageAccess: false, swiftSettings: strict),
        .target(
            name: "Catalog",
            dependencies: [
                "Bibliography", "Bounds", "CZlib", "DelimitedText", "ShelflistAPI", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict),
        .target(
            name: "Providers",
            dependencies: [
                "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Storage",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict),
        .target(
            name: "Imaging", dependencies: ["Bounds", "ShelflistAPI", "CImageCodecs", "CFreeType", "CSandbox"],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "Library",
            dependencies: [
                "Bibliography", "Bounds", "Concurrency", "DelimitedText", "ShelflistAPI", "Imaging", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(name: "Inference", dependencies: ["COpenVINO", "ShelflistAPI"], swiftSettings: strict),
        .target(
            name: "SpineReading",
            dependencies: ["Bounds", "CTesseract", "Concurrency", "ShelflistAPI", "Imaging", "Inference"],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "Identification",
            dependencies: ["Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "SpineReading", "Imaging"],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // From a photo's bytes to its books: no library, no network.
        .target(
            name: "Reading",
            dependencies: [
                "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Identification", "SpineReading", "Inference",
                "Imaging",
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // What commands print, and how they ask.
        .target(
            name: "Terminal",
            dependencies: [
                "Bibliography", "Bounds", "DelimitedText", "Imaging", "Reading", "ShelflistAPI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // The first photo after a checkout: nothing is compiled for it that reading does not need.
        .executableTarget(
            name: "read-photo",
            dependencies: [
                "Bibliography", "Catalog", "Reading", "Terminal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "Scans",
            dependencies: [
                "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Identification", "SpineReading", "Imaging",
                "Library",
                "Reading", "Storage",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Photos read by workers on other machines, over PostgreSQL.
        .target(
            name: "WorkQueue",
            dependencies: [
                "Bounds", "CPostgres", "Imaging", "Reading", "ShelflistAPI", "SpineReading", "Storage",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Catalog and providers as library and jobs ask them: together.
        .target(
            name: "Lookup",
            dependencies: [
                "Bibliography", "Bounds", "Concurrency", "ShelflistAPI", "Catalog", "Identification", "Imaging",
                "Library",
                "Providers", "Reading", "Scans", "SpineReading", "Storage",
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Dumps of catalogs, which are downloaded and imported in one step.
        .target(
            name: "Downloads",
            dependencies: [
                "Bounds", "Catalog", "Concurrency", "Providers", "ShelflistAPI", "Storage",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .target(
            name: "Server",
            dependencies: [
                "Bibliography", "Bounds", "CQRCode", "CZlib", "Catalog", "ClientInput", "Concurrency", "DelimitedText",
                "Downloads", "Identification", "Imaging", "Library", "Lookup", "Providers", "Reading", "Scans",
                "ShelflistAPI", "Storage",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "_CryptoExtras", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "shelflist",
            dependencies: [
                "Bibliography", "Bounds", "Catalog", "Concurrency", "DelimitedText", "Downloads", "Identification",
                "Imaging",
                "Library", "Lookup", "Providers", "Reading", "Scans", "Server", "ShelflistAPI", "ShelflistClient",
                "SpineReading", "Storage", "Terminal", "WorkQueue",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict + freeTypeSwiftHeaders),

        // Test support and tests.
        .target(
            name: "PictureEncoders", dependencies: ["Bounds", "CImageCodecs", "Imaging"],
            path: "Tests/Support/PictureEncoders",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "Fixtures",
            dependencies: ["Bibliography", "Catalog", "DelimitedText", "Imaging", "PictureEncoders", "ShelflistAPI"],
            path: "Tests/Support/Fixtures",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .target(
            name: "ReadingFixtures",
            dependencies: ["Bibliography", "Identification", "Imaging", "Reading", "ShelflistAPI", "SpineReading"],
            path: "Tests/Support/ReadingFixtures",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // A complete server on a free port, and raw connections to it.
        .target(
            name: "ServerFixtures",
            dependencies: [
                "Catalog", "Concurrency", "Downloads", "Fixtures", "Imaging", "Library", "Lookup", "Providers",
                "Reading", "ReadingFixtures", "Scans", "Server", "ShelflistAPI", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            path: "Tests/Support/ServerFixtures",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // What every test target shares: folders, waiting, turns at the reading models.
        .target(
            name: "TestSupport", dependencies: ["Concurrency"], path: "Tests/Support/TestSupport",
            swiftSettings: strict),
        // Renders photos of shelves with known books.
        .target(
            name: "ShelfRendering", dependencies: ["Fixtures", "Imaging", "ShelflistAPI"],
            path: "Tools/ShelfRendering",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "draw-shelf",
            dependencies: [
                "Fixtures", "Imaging", "ShelfRendering", "ShelflistAPI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/draw-shelf",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Writes what the matching models are fitted on (Scripts/fitting).
        .executableTarget(
            name: "matching-features",
            dependencies: [
                "Bibliography", "Catalog", "Fixtures", "Identification", "Imaging", "Lookup", "ShelflistAPI",
                "SpineReading",
            ],
            path: "Tools/matching-features",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "measure-library",
            dependencies: [
                "Bibliography", "Fixtures", "Imaging", "Library", "ShelflistAPI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/measure-library",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "measure-decoding",
            dependencies: ["Imaging", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tools/measure-decoding",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Stands in for workers and servers, to test and measure the work queue.
        .executableTarget(
            name: "drive-queue",
            dependencies: [
                "Imaging", "Reading", "ShelflistAPI", "SpineReading", "WorkQueue",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tools/drive-queue",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Serves the web app with recorded photos, and fails on command: for tests of the apps.
        .executableTarget(
            name: "test-server",
            dependencies: [
                "Catalog", "Concurrency", "Downloads", "Imaging", "Library", "Lookup", "Providers", "Reading",
                "ReadingFixtures", "Scans", "Server", "ShelflistAPI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tools/test-server",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "fuzz-decoders", dependencies: ["Fuzzing", "Imaging", "PictureEncoders"], path: "Tools/fuzz-decoders",
            swiftSettings: strict + freeTypeSwiftHeaders),
        .executableTarget(
            name: "fuzz-parsers",
            dependencies: [
                "Bibliography", "Catalog", "ClientInput", "Fuzzing", "Imaging", "Library", "Providers",
                "Reading", "ShelflistAPI", "SpineReading", "Terminal", "WorkQueue",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Tools/fuzz-parsers",
            swiftSettings: strict + freeTypeSwiftHeaders),
        // Damages files and runs parsers on them.
        .target(name: "Fuzzing", path: "Tools/Fuzzing", swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

for name in ["Bibliography", "Imaging", "Inference", "SpineReading", "Identification"] {
    package.targets.append(
        .testTarget(
            name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "Fixtures", "TestSupport"],
            // Tests of pictures loop over pixels, which takes minutes without optimisation.
            swiftSettings: (name == "Imaging" ? strict : testing) + freeTypeSwiftHeaders))
}
package.targets.append(
    .testTarget(
        name: "CatalogTests", dependencies: ["Bibliography", "Catalog", "DelimitedText", "Fixtures", "TestSupport"],
        exclude: ["Fixtures/make_marc_fixtures.py"], resources: [.copy("Fixtures")],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "LibraryTests", dependencies: ["Library", "Fixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "ProvidersTests", dependencies: ["Bibliography", "Providers", "Fixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "LookupTests", dependencies: ["Lookup", "Catalog", "Fixtures", "ReadingFixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "DownloadsTests", dependencies: ["Downloads", "Catalog", "Fixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "FixturesTests",
        dependencies: ["Fixtures", "Imaging", "ShelfRendering", "Bibliography", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(name: "BoundsTests", dependencies: ["Bounds"], swiftSettings: testing))
package.targets.append(
    .testTarget(name: "ConcurrencyTests", dependencies: ["Concurrency"], swiftSettings: testing))
package.targets.append(
    .testTarget(name: "StorageTests", dependencies: ["Storage", "TestSupport"], swiftSettings: testing))
package.targets.append(
    .testTarget(name: "ShelflistAPITests", dependencies: ["ShelflistAPI"], swiftSettings: testing))
package.targets.append(
    .testTarget(
        name: "ReadingTests",
        dependencies: ["Reading", "Scans", "ShelfRendering", "Fixtures", "ReadingFixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "ScansTests", dependencies: ["Scans", "Fixtures", "ReadingFixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "WorkQueueTests",
        dependencies: ["WorkQueue", "Fixtures", "ReadingFixtures", "TestSupport"],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "ServerTests",
        dependencies: [
            "Server", "Fixtures", "ReadingFixtures", "ServerFixtures", "TestSupport",
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "ShelflistClientTests",
        dependencies: [
            "ShelflistAPI", "ShelflistClient", "ShelflistClientTesting", "Server", "Fixtures", "ReadingFixtures",
            "ServerFixtures", "TestSupport",
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        ],
        swiftSettings: testing + freeTypeSwiftHeaders))
package.targets.append(
    .testTarget(
        name: "ShelflistModelsTests",
        dependencies: [
            "Catalog", "ShelflistAPI", "ShelflistModels", "ShelflistClientTesting", "Fixtures", "ReadingFixtures",
            "ServerFixtures", "TestSupport",
        ],
        swiftSettings: testing + freeTypeSwiftHeaders))
var sampleApp: [Target.Dependency] = ["ShelfScannerCore", "ShelflistModels", "ShelflistClientTesting", "TestSupport"]
#if os(Linux)
    // The views of the sample app, with declarations in place of SwiftUI: each call into the library is compiled, because
    // the tests depend on them.
    sampleApp.append("ShelfScanner")
    package.targets += [
        .target(name: "SwiftUIStandIn", path: "Tests/Support/SwiftUIStandIn", swiftSettings: strict),
        .target(
            name: "ShelfScanner", dependencies: ["ShelfScannerCore", "SwiftUIStandIn"],
            path: "Examples/Apple/Sources/ShelfScanner", packageAccess: false,
            swiftSettings: strict + [.unsafeFlags(["-module-alias", "SwiftUI=SwiftUIStandIn"])]),
    ]
#endif
package.targets.append(.testTarget(name: "ShelfScannerTests", dependencies: sampleApp, swiftSettings: testing))
package.targets.append(
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "shelflist", "Fixtures", "ReadingFixtures", "ServerFixtures", "ShelflistAPI", "ShelflistClient",
            "TestSupport",
        ],
        swiftSettings: testing + freeTypeSwiftHeaders))

// SwiftPM does not compile a test target again when a module changes that it gets through another one, so each names
// all modules below its own.
extension Target.Dependency {
    fileprivate var module: String? { if case .byNameItem(let name, _) = self { name } else { nil } }
}
let modules = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0.dependencies.compactMap(\.module)) })
for target in package.targets where target.type == .test {
    let direct = modules[target.name] ?? []
    var all = direct
    var next = 0
    while next < all.count {
        for name in modules[all[next]] ?? [] where !all.contains(name) { all.append(name) }
        next += 1
    }
    target.dependencies += all.dropFirst(direct.count).map { .init(stringLiteral: $0) }
}

// A package is downloaded only if a trait asks for it.
for target in package.targets {
    target.dependencies = target.dependencies.map { dependency in
        guard case .productItem(let name, let package?, _, let condition) = dependency else { return dependency }
        let platforms: [Platform] = condition == nil ? [.linux, .macOS] : [.linux]
        return .product(name: name, package: package, condition: .when(platforms: platforms, traits: ["Server"]))
    }
}

// SHELFLIST_DECODERS_ONLY=1 leaves only what Scripts/fuzz.sh compiles again with AddressSanitizer: no package.
if Context.environment["SHELFLIST_DECODERS_ONLY"] == "1" {
    let needed: Set = [
        "Bibliography", "Bounds", "CFreeType", "CImageCodecs", "CSandbox", "Fuzzing", "Imaging", "PictureEncoders",
        "ShelflistAPI", "fuzz-decoders",
    ]
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
    package.dependencies = []
}
