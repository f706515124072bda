public import Foundation
public import Observation

public struct Font: Sendable {
    public static let largeTitle = Self(), title2 = Self(), headline = Self(), subheadline = Self(), footnote = Self()
}
public enum TextAlignment: Sendable { case leading, center }
public enum Visibility: Sendable { case hidden, visible }
public enum Detent: Hashable, Sendable { case medium, large }
public enum Traits: Sendable { case updatesFrequently }
public enum ChildBehavior: Sendable { case combine, ignore }
public enum Material: Sendable { case ultraThinMaterial }
public enum ButtonStyles: Sendable { case bordered, borderedProminent }
public enum PickerStyles: Sendable { case segmented }
public enum UTType: Sendable { case image }

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = AnyOf
    @ViewBuilder func body(content: Content) -> Body
}

extension View {
    public func modifier(_ modifier: some ViewModifier) -> some View { AnyOf() }

    public func tint(_ color: Color) -> some View { AnyOf() }
    public func font(_ font: Font) -> some View { AnyOf() }
    public func foregroundStyle(_ color: Color) -> some View { AnyOf() }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { AnyOf() }
    public func buttonStyle(_ style: ButtonStyles) -> some View { AnyOf() }
    public func pickerStyle(_ style: PickerStyles) -> some View { AnyOf() }
    public func scrollContentBackground(_ visibility: Visibility) -> some View { AnyOf() }
    public func autocorrectionDisabled() -> some View { AnyOf() }
    public func scaledToFit() -> some View { AnyOf() }
    public func frame(width: Double? = nil, height: Double? = nil) -> some View { AnyOf() }
    public func padding() -> some View { AnyOf() }
    public func background(_ material: Material, in shape: some Shape) -> some View { AnyOf() }
    public func background(_ view: some View) -> some View { AnyOf() }
    public func overlay(@ViewBuilder content: () -> some View) -> some View { AnyOf() }
    public func contentShape(_ shape: some Shape) -> some View { AnyOf() }
    public func disabled(_ isDisabled: Bool) -> some View { AnyOf() }
    public func tag(_ tag: some Hashable) -> some View { AnyOf() }
    public func badge(_ count: Int) -> some View { AnyOf() }

    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { AnyOf() }
    public func navigationTitle(_ title: String) -> some View { AnyOf() }
    public func toolbar(@ViewBuilder content: () -> some View) -> some View { AnyOf() }
    public func swipeActions(@ViewBuilder content: () -> some View) -> some View { AnyOf() }
    public func searchable(text: Binding<String>) -> some View { AnyOf() }
    public func presentationDetents(_ detents: Set<Detent>) -> some View { AnyOf() }
    public func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View {
        AnyOf()
    }
    public func sheet<Item: Identifiable>(
        item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View { AnyOf() }
    public func confirmationDialog(
        _ title: String, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View
    ) -> some View { AnyOf() }
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        onCompletion: @escaping @MainActor (Result<URL, any Error>) -> Void
    ) -> some View { AnyOf() }

    public func environment(_ object: some AnyObject & Observable) -> some View { AnyOf() }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { AnyOf() }
    public func task(id: some Equatable, _ action: @escaping @MainActor @Sendable () async -> Void) -> some View {
        AnyOf()
    }
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> some View { AnyOf() }
    public func onAppear(perform action: @escaping @MainActor () -> Void) -> some View { AnyOf() }
    public func onSubmit(_ action: @escaping @MainActor () -> Void) -> some View { AnyOf() }
    public func onChange(of value: some Equatable, _ action: @escaping @MainActor () -> Void) -> some View { AnyOf() }
    public func onTapGesture(perform action: @escaping @MainActor () -> Void) -> some View { AnyOf() }
    public func onTapGesture(perform action: @escaping @MainActor (CGPoint) -> Void) -> some View { AnyOf() }

    public func accessibilityElement(children: ChildBehavior) -> some View { AnyOf() }
    public func accessibilityLabel(_ label: String) -> some View { AnyOf() }
    public func accessibilityValue(_ value: String) -> some View { AnyOf() }
    public func accessibilityHidden(_ isHidden: Bool) -> some View { AnyOf() }
    public func accessibilityAddTraits(_ traits: Traits) -> some View { AnyOf() }
}
