package import NIOCore
package import NIOWebSocket

/// The maximum sizes of what a client sends over a WebSocket.
package enum SocketLimits {
    package static let frameBytes = 16 * 1024
    package static let messageBytes = 64 * 1024
}

/// Validates a client's frames, assembles text messages, and limits their size.
///
/// A plain value without I/O: the caller performs the returned actions.
package struct SocketReader {
    private var received = 0
    private var isInMessage = false
    private var isText = false
    private var text: [UInt8] = []

    package enum Action: Equatable {
        case nothing
        case pong(ByteBuffer)
        /// A complete text message.
        case message(String)
        case close(WebSocketErrorCode)
    }

    package init() {}

    package mutating func receive(_ frame: WebSocketFrame) -> Action {
        // NIO's decoder does not check these: clients must mask, and no extension has been negotiated.
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return .close(.protocolError) }
        switch frame.opcode {
        case .ping:
            return frame.fin && frame.length <= 125 ? .pong(frame.unmaskedData) : .close(.protocolError)
        case .pong: return frame.fin && frame.length <= 125 ? .nothing : .close(.protocolError)
        case .connectionClose: return .close(.normalClosure)
        case .text, .binary:
            guard !isInMessage else { return .close(.protocolError) }
            isText = frame.opcode == .text
            text = []
            received = 0
            return collect(frame)
        case .continuation:
            guard isInMessage else { return .close(.protocolError) }
            return collect(frame)
        default: return .close(.protocolError)
        }
    }

    private mutating func collect(_ frame: WebSocketFrame) -> Action {
        received += frame.length
        guard received <= SocketLimits.messageBytes else { return .close(.messageTooLarge) }
        if isText { text += Array(buffer: frame.unmaskedData) }
        isInMessage = !frame.fin
        guard frame.fin, isText else { return .nothing }
        guard let message = String(validating: text, as: UTF8.self) else { return .close(.dataInconsistentWithMessage) }
        return .message(message)
    }
}
