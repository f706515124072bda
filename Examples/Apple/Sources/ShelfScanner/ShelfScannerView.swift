#if canImport(SwiftUI)
    public import ShelfScannerCore
    public import SwiftUI

    /// The app: the sign-in, then the tabs.
    public struct ShelfScannerView: View {
        @State private var app: AppModel
        @Environment(\.colorScheme) private var colorScheme

        public init(app: AppModel) { _app = State(initialValue: app) }

        public var body: some View {
            Group {
                if let session = app.session {
                    TabsView(app: app, session: session)
                } else {
                    SignInView(app: app)
                }
            }
            .tint(Color(app.theme.accent(dark: colorScheme == .dark)))
            .environment(app)
        }
    }

    /// The screens of a session.
    struct TabsView: View {
        let app: AppModel
        let session: Session

        var body: some View {
            TabView {
                ScannerView(session: session)
                    .tabItem { Label("Scan", systemImage: "camera.viewfinder") }
                    .badge(session.scans.unfinished)
                ReviewQueueView(session: session)
                    .tabItem { Label("Review", systemImage: "checkmark.circle.badge.questionmark") }
                    .badge(session.review.counts.total)
                LibraryView(session: session)
                    .tabItem { Label("Library", systemImage: "books.vertical") }
                ShelvesView(session: session)
                    .tabItem { Label("Shelves", systemImage: "square.split.1x2") }
                SettingsView(app: app, session: session)
                    .tabItem { Label("Settings", systemImage: "gear") }
            }
            .task { await session.scans.run() }
            .task { await session.review.watch() }
        }
    }
#endif
