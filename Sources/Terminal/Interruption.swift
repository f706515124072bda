import Dispatch
import Foundation

/// Calls a handler on SIGINT (Ctrl-C) or SIGTERM during its lifetime, on a separate thread, because all threads of
/// the cooperative pool may be busy.
package final class Interruption {
    private static let numbers = [SIGINT, SIGTERM]
    private let sources: [any DispatchSourceSignal]

    /// The handler receives the signal number.
    ///
    /// A second signal kills the process.
    package init(handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "shelflist.interruption", qos: .userInteractive)
        sources = Self.numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                signal(number, SIG_DFL)
                handler(number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        // From here on, the signals end the process again.
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
