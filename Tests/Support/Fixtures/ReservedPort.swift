import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A TCP port of 127.0.0.1 that no other program is given, for servers that are started on it one after another.
///
/// A socket that is bound and does not listen keeps the port from being handed out, while a server that sets
/// SO_REUSEADDR can bind it as well and listen (Linux, socket(7)).
package final class ReservedPort: Sendable {
    package let number: Int
    private let file: Int32

    package init() throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let file = socket(AF_INET, stream, 0)
        var yes: Int32 = 1
        setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return false }
            return bind(file, start, length) == 0 && getsockname(file, start, &length) == 0
        }
        guard isBound else {
            defer { close(file) }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
        }
        self.file = file
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(file) }
}
