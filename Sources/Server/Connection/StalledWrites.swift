package import NIOCore

/// Closes a connection whose client does not read.
///
/// Checks the bytes that wait to be sent every `pause` while there are too many of them, and closes the connection if
/// they have not become fewer. This handler stays when a connection becomes a WebSocket.
package final class StalledWrites: ChannelInboundHandler {
    package typealias InboundIn = NIOAny

    private let pause: TimeAmount
    private var timer: Scheduled<Void>?

    package init(pause: Duration) { self.pause = TimeAmount(pause) }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            timer?.cancel()
            timer = nil
        } else if timer == nil {
            watch(context, waiting: waitingBytes(context))
        }
        context.fireChannelWritabilityChanged()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    package func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    private func watch(_ context: ChannelHandlerContext, waiting: Int) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            let now = self.waitingBytes(context)
            if now >= waiting {
                context.close(promise: nil)
            } else {
                self.watch(context, waiting: now)
            }
        }
    }

    /// The bytes that the operating system has not accepted yet; 0 for channels that do not count them.
    private func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
