public import Observation

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding(get: { value }, set: { _ in }) }
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }
    public init(initialValue: Value) { value = initialValue }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(
            get: { wrappedValue[keyPath: path] },
            set: {
                var value = wrappedValue
                value[keyPath: path] = $0
                wrappedValue = value
            })
    }
}

extension Binding where Value: AnyObject & Observable {
    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(get: { wrappedValue[keyPath: path] }, set: { wrappedValue[keyPath: path] = $0 })
    }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable> {
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public subscript<Part>(dynamicMember path: ReferenceWritableKeyPath<Value, Part>) -> Binding<Part> {
        let value = wrappedValue
        return Binding<Part>(get: { value[keyPath: path] }, set: { value[keyPath: path] = $0 })
    }
}

public struct DismissAction: Sendable { public func callAsFunction() {} }

public struct EnvironmentValues: Sendable {
    public var colorScheme: ColorScheme { .light }
    public var dismiss: DismissAction { DismissAction() }
}

@propertyWrapper public struct Environment<Value> {
    public var wrappedValue: Value { read() }
    private let read: () -> Value

    public init(_ path: KeyPath<EnvironmentValues, Value>) { read = { EnvironmentValues()[keyPath: path] } }
    public init(_ type: Value.Type) where Value: AnyObject & Observable {
        read = { fatalError("There is no environment.") }
    }
}
