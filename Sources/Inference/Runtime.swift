internal import COpenVINO

/// OpenVINO on this machine's processor.
package enum Runtime {
    /// Started once per process, because starting it loads its plugins.
    static let core: Result<Handle, InferenceError> = Result { () throws(InferenceError) in
        sl_return_large_blocks()
        return try Handle("start", free: ov_core_free) { ov_core_create(&$0) }
    }

    /// What the processor calculates natively, for example `BF16` and `INT8`.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    package static func capabilities() throws(InferenceError) -> Set<String> {
        Set(try property(sl_ov_key_capabilities()).split(whereSeparator: { " ,".contains($0) }).map(String.init))
    }

    /// The runtime's release and the processor that networks are compiled for, as a file name.
    ///
    /// - Throws: `InferenceError` if the runtime does not start.
    static func environment() throws(InferenceError) -> String {
        var version = ov_version_t()
        try check(ov_get_openvino_version(&version), "report its version")
        defer { ov_version_free(&version) }
        let release = version.buildNumber.map { String(cString: $0) } ?? ""
        let parts = [release, try property(sl_ov_key_device_name())] + (try capabilities().sorted())
        return parts.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? "\($0)" : "-" }.joined()
    }

    private static func property(_ key: UnsafePointer<CChar>?) throws(InferenceError) -> String {
        let core = try core.get()
        var value: UnsafeMutablePointer<CChar>?
        try check(ov_core_get_property(core.pointer, "CPU", key, &value), "describe the processor")
        defer { ov_free(value) }
        return value.map { String(cString: $0) } ?? ""
    }
}

/// Owns one pointer of the C API and frees it once.
final class Handle: @unchecked Sendable {
    // Sendable: the pointer never changes, and OpenVINO's core and compiled models are thread-safe. The only call on
    // an infer request from another thread is cancel; `Model`'s pool hands each request to one run at a time.
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer?) -> Void

    /// - Parameters:
    ///   - action: the action that needs the handle, for errors.
    ///   - create: sets the pointer.
    init(
        _ action: String, free: @escaping @Sendable (OpaquePointer?) -> Void,
        create: (inout OpaquePointer?) -> ov_status_e
    ) throws(InferenceError) {
        var pointer: OpaquePointer?
        try check(create(&pointer), action)
        guard let pointer else { throw InferenceError(action: action, reason: "it gave no handle") }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}

/// Converts a status code of the C API to an error.
func check(_ status: ov_status_e, _ action: String) throws(InferenceError) {
    guard status != OK else { return }
    let detail = ov_get_last_err_msg().map { String(cString: $0) } ?? ""
    let reason = detail.isEmpty ? String(cString: ov_get_error_info(status)) : detail
    throw InferenceError(action: action, reason: reason)
}
