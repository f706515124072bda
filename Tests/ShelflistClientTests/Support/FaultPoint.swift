import Foundation
import NIOCore

/// Where the bytes of one connection end.
///
/// Unchecked: both directions share it, on one event loop.
final class FaultPoint: @unchecked Sendable {
    var fault: Fault?
    var isBroken = false
    var isLate = false
    var passed = 0
    private let onRequest: @Sendable (String) -> Fault?
    private let onSwallow: @Sendable (FaultPoint) -> Void
    /// The method and the path of the latest request; nil if it is encrypted.
    private(set) var request: String?
    /// What the client has sent of that request.
    private var sent = ByteBuffer()
    private var hasSwallowed = false
    private var serverIsGone = false
    private var held: [() -> Void] = []
    private var heldCloses: [() -> Void] = []
    private var answer: EventLoopPromise<Void>?

    init(
        _ fault: Fault?, onRequest: @escaping @Sendable (String) -> Fault?,
        onSwallow: @escaping @Sendable (FaultPoint) -> Void
    ) {
        (self.fault, self.onRequest, self.onSwallow) = (fault, onRequest, onSwallow)
    }

    private static let version = " HTTP/1.1"

    /// Takes note of what a client sends, also if it is swallowed.
    func receive(_ bytes: ByteBuffer) {
        let text = String(buffer: bytes)
        let line = text.prefix { !$0.isNewline }
        if line.hasSuffix(Self.version) {
            request = String(line.dropLast(Self.version.count))
            sent.clear()
        }
        sent.writeImmutableBuffer(bytes)
        guard !isBroken, let fault = onRequest(text) else { return }
        (self.fault, passed) = (fault, 0)
    }

    /// Reports the first bytes that are not passed on: the connection is of no use from here.
    func swallow() {
        guard !hasSwallowed, let fault else { return }
        switch fault.kind {
        case .blackHole, .late: break
        // A client sees the end of an answer.
        case .halfClose: guard fault.direction == .up else { return }
        case .cut, .refuse: return
        }
        hasSwallowed = true
        onSwallow(self)
    }

    // MARK: Late delivery

    /// The client's time ends once its request is complete, so that the server answers what is late.
    func hold(_ work: @escaping () -> Void) {
        held.append(work)
        if fault?.direction == .down || requestIsComplete { swallow() }
    }

    private var requestIsComplete: Bool {
        let end = Array("\r\n\r\n".utf8)
        guard let head = sent.readableBytesView.firstRange(of: end) else { return false }
        let fields = String(decoding: sent.readableBytesView[..<head.lowerBound], as: UTF8.self).lowercased()
        let length = fields.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        return sent.readableBytesView[head.upperBound...].count >= length ?? 0
    }

    func holdClose(_ work: @escaping () -> Void) { heldCloses.append(work) }

    func serverHasAnswered() {
        answer?.succeed()
        answer = nil
    }

    func serverHasClosed() {
        serverIsGone = true
        serverHasAnswered()
    }

    /// Passes everything on that was held; the ends of the connection only after the server's answer.
    func deliver(on loop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = loop.makePromise(of: Void.self)
        // The server has answered already if it is the answer that is late.
        if fault?.direction == .up, !serverIsGone { answer = promise } else { promise.succeed() }
        (isLate, fault) = (false, nil)
        for work in held { work() }
        held = []
        return promise.futureResult.map { [self] in
            for work in heldCloses { work() }
            heldCloses = []
        }
    }
}
