import Hummingbird
import ShelflistAPI

/// What `/ws/progress` answers to a request that did not become a WebSocket.
struct SocketFallback: Sendable {
    func add(to table: inout RouteTable) {
        table.add(.get, "ws/progress", needs: .anyone) { request, _ -> Response in
            guard let job = try Query(request).text("jobId", maxLength: 200), !job.isEmpty else {
                throw Problem.badRequest("Name the job: /ws/progress?jobId=…", field: "jobId")
            }
            _ = try SocketService.after(Query(request))
            // NIO took the Upgrade header away because the handshake was refused.
            if request.headers[.secWebSocketKey] != nil { throw Problem.signInNeeded }
            throw Problem(
                "upgrade_required", status: 426, title: "WebSocket only",
                detail: "This address speaks WebSocket. For plain HTTP use /api/v1/scans/{id}/events.")
        }
    }
}
