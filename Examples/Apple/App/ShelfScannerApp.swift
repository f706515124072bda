#if canImport(SwiftUI)
    import ShelfScanner
    import ShelfScannerCore
    import SwiftUI

    /// The file of the app target: the rest is in the package.
    @main
    struct ShelfScannerApp: App {
        private let app = AppModel(
            store: DeviceStore(), device: "Shelf Scanner",
            folder: URL.applicationSupportDirectory.appending(path: "Scans"))

        var body: some Scene {
            WindowGroup { ShelfScannerView(app: app) }
        }
    }
#endif
