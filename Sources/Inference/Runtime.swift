internal import COpenVINO

/// OpenVINO on this machine's processor.
package enum Runtime {
    /// Started once per process, because starting it loads its plugins.
    static let core: Result<Handle, InferenceError> = Result { () throws(InferenceError) in
        sl_return_large_blocks()
        return try Handle("start", delete: sl_ov_core_delete) { sl_ov_core_create(&$0) }
    }

    /// What the processor calculates natively, for example `BF16` and `INT8`.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    package static func capabilities() throws(InferenceError) -> Set<String> {
        Set(try description(sl_ov_capabilities).split(separator: " ").map(String.init))
    }

    /// The runtime's release and the processor that networks are compiled for, as a file name.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    static func environment() throws(InferenceError) -> String {
        let release = taken(sl_ov_release()) ?? ""
        let parts = [release, try description(sl_ov_processor)] + (try capabilities().sorted())
        return parts.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? "\($0)" : "-" }.joined()
    }

    private static func description(
        _ part: (OpaquePointer?, UnsafeMutablePointer<Message>?) -> Message
    ) throws(InferenceError) -> String {
        let core = try core.get()
        return try call("describe the processor") { taken(part(core.pointer, &$0)) }
    }
}

/// Owns one object of the runtime and deletes it once.
final class Handle: @unchecked Sendable {
    // Sendable: the pointer never changes, and OpenVINO's core and compiled networks are thread-safe. The only call on
    // a request from another thread is cancel; `Model`'s pool hands each request to one run at a time.
    let pointer: OpaquePointer
    private let delete: @Sendable (OpaquePointer?) -> Void

    /// - Parameters:
    ///   - action: the action that needs the object, for errors.
    ///   - create: returns the object, or `nil` with a message.
    init(
        _ action: String, delete: @escaping @Sendable (OpaquePointer?) -> Void,
        create: (inout Message) -> OpaquePointer?
    ) throws(InferenceError) {
        pointer = try call(action, create)
        self.delete = delete
    }

    deinit { delete(pointer) }
}

/// A string of the runtime, which the caller frees.
typealias Message = UnsafeMutablePointer<CChar>?

/// Calls a function of the runtime that returns `nil` and sets a message if it fails.
func call<Result>(_ action: String, _ body: (inout Message) -> Result?) throws(InferenceError) -> Result {
    var message: Message = nil
    let result = body(&message)
    guard let result else { throw InferenceError(action: action, reason: taken(message) ?? "it gave no reason") }
    return result
}

/// Copies a string of the runtime and frees it.
private func taken(_ text: Message) -> String? {
    defer { sl_ov_free(text) }
    return text.map { String(cString: $0) }
}
