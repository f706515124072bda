import Hummingbird
import ShelflistAPI

/// Responds to requests for `/ws/progress` that were not upgraded to a WebSocket.
struct SocketFallback: Sendable {
    func add(to table: inout RouteTable) {
        table.add(.get, "ws/progress", needs: .socket) { request, _ -> Response in
            guard let job = try Query(request).text("jobId", maxLength: 200), !job.isEmpty else {
                throw Problem.badRequest("The query has no job. Send it as /ws/progress?jobId=…", field: "jobId")
            }
            _ = try SocketService.after(Query(request))
            // `RequestGuard` removed the Upgrade header because the handshake was rejected.
            if request.headers[.secWebSocketKey] != nil { throw Problem.signInNeeded }
            throw Problem(
                "upgrade_required", status: 426, title: "WebSocket only",
                detail: "This path accepts only WebSockets. For HTTP, use /api/v1/scans/{id}/events.")
        }
    }
}
