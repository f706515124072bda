#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    /// The theme, the threshold, the accuracy, and the account.
    struct SettingsView: View {
        let app: AppModel
        let session: Session

        private var model: SettingsModel { session.settings }

        var body: some View {
            @Bindable var app = app
            NavigationStack {
                Form {
                    Section("Theme") {
                        Picker("Theme", selection: $app.theme) {
                            ForEach(Theme.allCases) { theme in Text(theme.name).tag(theme) }
                        }
                    }
                    if let settings = model.settings {
                        Section("Review") {
                            Slider(
                                value: Binding(
                                    get: { settings.threshold },
                                    set: { value in Task { await model.setThreshold(value) } }),
                                in: SettingsModel.thresholds, step: 0.05
                            )
                            .accessibilityLabel("Review books below")
                            .accessibilityValue(Words.percent(settings.threshold))
                            Text("Books below \(Words.percent(settings.threshold)) need review.")
                            Toggle(
                                "Keep photos after the review",
                                isOn: Binding(
                                    get: { settings.keepShelfPhotos },
                                    set: { keeps in Task { await model.setKeepsPhotos(keeps) } }))
                        }
                    }
                    if let stats = model.stats {
                        Section("Accuracy") { Text("\(stats.correct) of \(stats.reviewed) reviewed books were right.") }
                    }
                    ErrorText(error: model.error)
                    Button("Sign out", role: .destructive) { app.signOut() }
                }
                .navigationTitle("Settings")
                .task { await model.load() }
                .themed()
            }
        }
    }
#endif
