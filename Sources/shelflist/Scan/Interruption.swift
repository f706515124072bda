import Dispatch
import Foundation

/// Calls a handler on SIGINT (Ctrl-C) or SIGTERM while it lives, on a thread of its own: the threads of the
/// cooperative pool may all be busy reading photos.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    /// The handler gets the number of the signal.
    ///
    /// A second signal meets the system's own handling and kills.
    init(handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "shelflist.interruption", qos: .userInteractive)
        sources = [SIGINT, SIGTERM].map { number in
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
    }
}
