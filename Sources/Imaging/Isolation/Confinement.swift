internal import CSandbox
internal import Foundation

/// How far the system confines a process that decodes photos.
package struct Confinement: Hashable, Sendable {
    /// In the order of `shelf_part`.
    package enum Part: String, CaseIterable, Sendable {
        case filter = "filter of system calls"
        case privileges = "no new privileges"
        case memory = "memory limit"
        case processor = "processor time limit"
        case dumps = "no core dumps"
        case files = "no open files"
        case parent = "end with the server"
    }

    /// A part that does not hold.
    package struct Gap: Hashable, Sendable, CustomStringConvertible {
        package var part: Part
        /// The number of errno with which the system refused it.
        package var code: Int32

        package init(_ part: Part, code: Int32) { (self.part, self.code) = (part, code) }

        /// The part and the reason, without a full stop.
        package var description: String { "\(part.rawValue) (\(reason))" }

        private var reason: String {
            switch (part, code) {
            case (.memory, ENOENT): "/proc is not mounted"
            case (.filter, ENOSYS), (.filter, EINVAL): "this system has no seccomp filters"
            case (.filter, EPERM): "the container or service does not allow seccomp"
            default: String(cString: strerror(code))
            }
        }
    }

    /// Empty if the process is fully confined.
    package var gaps: [Gap]

    /// - Parameter codes: the number of errno of each part, 0 where it holds.
    init(codes: [UInt8]) {
        gaps = zip(Part.allCases, codes).filter { $1 != 0 }.map { Gap($0, code: Int32($1)) }
    }

    /// Confines this process for good.
    ///
    /// - Parameter memory: the address space that it may use in addition to what it uses now, in bytes.
    /// - Returns: the number of errno of each part, 0 where it holds.
    static func enter(memory: Int) -> [UInt8] {
        let confinement = shelf_sandbox_enter(UInt64(max(0, memory)))
        return withUnsafeBytes(of: confinement.errors) { Array($0) }
    }
}
