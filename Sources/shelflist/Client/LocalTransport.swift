import Foundation
import Server
import ShelflistClient

/// Answers the requests of a client in this process.
struct LocalTransport: Transport {
    let router: LibraryRouter

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let body: Data =
            switch request.body {
            case .none: Data()
            case .data(let data): data
            case .file(let url): try contents(of: url)
            }
        let query = request.url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let answer = try await router.answer(
            request.method, request.url.path(percentEncoded: true) + query, headers: request.headers, body: body)
        request.onSent(body.count)
        return TransportResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }

    private func contents(of file: URL) throws -> Data {
        do {
            return try Data(contentsOf: file, options: .mappedIfSafe)
        } catch {
            throw TransportFailure.file(file, error)
        }
    }

    /// Scans, whose events sockets send, are not among the routes.
    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int? { throw TransportFailure.refused }
}
