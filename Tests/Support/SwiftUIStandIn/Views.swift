@_exported public import Foundation

// The declarations of SwiftUI that the views of Examples/Apple use, so that they are type-checked on Linux, where SwiftUI
// does not exist: each call into the library is compiled. Nothing is drawn, and Apple's declarations may differ.

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("It has no body.") } }

public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { fatalError("It has no body.") } }

extension Optional: View where Wrapped: View { public var body: Never { fatalError("It has no body.") } }

/// Stands for every view of SwiftUI.
public struct AnyOf: Leaf { public nonisolated init() {} }

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyOf { AnyOf() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<Content: View>(first: Content) -> AnyOf { AnyOf() }
    public static func buildEither<Content: View>(second: Content) -> AnyOf { AnyOf() }
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum Alignment: Sendable { case top, bottom, center, topLeading }
public enum ButtonRole: Sendable { case destructive, cancel }
public enum ColorScheme: Sendable { case light, dark }
public struct UnitPoint: Sendable { public static let top = Self(), bottom = Self() }
public struct Axis: Sendable { public enum Set: Sendable { case horizontal, vertical } }

public struct Group: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct VStack: Leaf {
    public init(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> some View
    ) {}
}
public struct HStack: Leaf { public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {} }
public struct ZStack: Leaf { public init(alignment: Alignment = .center, @ViewBuilder content: () -> some View) {} }
public struct ScrollView: Leaf { public init(_ axes: Axis.Set = .vertical, @ViewBuilder content: () -> some View) {} }
public struct List: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Form: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct NavigationStack: Leaf { public init(@ViewBuilder root: () -> some View) {} }
public struct TabView: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Section: Leaf {
    public init(@ViewBuilder content: () -> some View) {}
    public init(_ title: String, @ViewBuilder content: () -> some View) {}
}
public struct ForEach: Leaf {
    public init<Data: RandomAccessCollection>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> some View
    ) where Data.Element: Identifiable {}
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> some View
    ) {}
}
public struct NavigationLink: Leaf {
    public init(@ViewBuilder destination: () -> some View, @ViewBuilder label: () -> some View) {}
}
public struct GeometryProxy: Sendable { public var size: CGSize { CGSize() } }
public struct GeometryReader: Leaf {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> some View) {}
}
public struct Spacer: Leaf { public init() {} }
public struct Text: Leaf {
    public struct DateStyle: Sendable { public static let time = Self(), date = Self() }

    public init(_ text: String) {}
    public init(_ date: Date, style: DateStyle) {}
    public func foregroundStyle(_ color: Color) -> Text { self }
    public func monospacedDigit() -> Text { self }
}
public struct Label: Leaf { public init(_ title: String, systemImage: String) {} }
public struct Image: Leaf {
    public init(systemName: String) {}
    /// In place of ImageData.swift.
    public init?(jpeg: Data) {}
    public func resizable() -> Image { self }
}
public struct Button: Leaf {
    public init(_ title: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> some View) {}
}
public struct TextField: Leaf { public init(_ title: String, text: Binding<String>) {} }
public struct SecureField: Leaf { public init(_ title: String, text: Binding<String>) {} }
public struct Picker: Leaf {
    public init(_ title: String, selection: Binding<some Hashable>, @ViewBuilder content: () -> some View) {}
}
public struct Toggle: Leaf {
    public init(_ title: String, isOn: Binding<Bool>) {}
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> some View) {}
}
public struct Slider: Leaf {
    public init(value: Binding<Double>, in range: ClosedRange<Double>, step: Double) {}
}
public struct ProgressView: Leaf {
    public init() {}
    public init(value: Double?) {}
}
public struct LinearGradient: Leaf {
    public init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
}
public struct Color: Leaf, Sendable {
    public static let red = Color(), orange = Color(), accentColor = Color(), clear = Color(), secondary = Color()

    public init(red: Double = 0, green: Double = 0, blue: Double = 0) {}
}
public struct Path: Sendable {
    public init() {}
    public mutating func addLines(_ points: [CGPoint]) {}
    public mutating func closeSubpath() {}
}
public protocol Shape: Sendable, View { nonisolated func path(in rect: CGRect) -> Path }
extension Shape {
    public var body: AnyOf { AnyOf() }
    public func stroke(_ color: Color, lineWidth: Double) -> some View { AnyOf() }
}
public struct Rectangle: Shape {
    public init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path() }
}
public struct RoundedRectangle: Shape {
    public init(cornerRadius: Double) {}
    public nonisolated func path(in rect: CGRect) -> Path { Path() }
}
