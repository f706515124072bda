#if canImport(SwiftUI)
    import ShelfScannerCore
    import SwiftUI

    extension Color {
        init(_ color: RGB) { self.init(red: color.red, green: color.green, blue: color.blue) }
    }

    /// What is wrong, and what to do.
    struct ErrorText: View {
        let error: ShelflistError?

        var body: some View {
            if let error {
                VStack(alignment: .leading) {
                    Text(error.message).foregroundStyle(.red)
                    Text(error.recovery).font(.footnote)
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    /// A cover or a spine of the server, with a placeholder until it is loaded.
    struct ServerPicture: View {
        let path: ServerPath?
        let pictures: PictureModel

        var body: some View {
            Group {
                if let data = pictures.picture(path), let image = Image(jpeg: data) {
                    image.resizable().scaledToFit()
                } else {
                    Image(systemName: "book.closed").foregroundStyle(.secondary)
                }
            }
            .accessibilityHidden(true)
            .task(id: path) { await pictures.load(path) }
        }
    }

    /// A card with the material of the system.
    struct Card: ViewModifier {
        func body(content: Content) -> some View {
            content
                .padding()
                .background(.ultraThinMaterial, in: RoundedRectangle(cornerRadius: 16))
        }
    }

    /// The background of a screen in the colours of the theme.
    struct ThemeBackground: ViewModifier {
        @Environment(AppModel.self) private var app
        @Environment(\.colorScheme) private var colorScheme

        func body(content: Content) -> some View {
            content
                .scrollContentBackground(.hidden)
                .background(
                    LinearGradient(
                        colors: [Color(app.theme.background(dark: colorScheme == .dark)), Color.clear],
                        startPoint: .top,
                        endPoint: .bottom))
        }
    }

    extension View {
        func card() -> some View { modifier(Card()) }
        func themed() -> some View { modifier(ThemeBackground()) }

        /// For names and addresses, which are not sentences.
        func addressInput() -> some View {
            autocorrectionDisabled()
                #if os(iOS)
                    .textInputAutocapitalization(.never)
                #endif
        }
    }
#endif
