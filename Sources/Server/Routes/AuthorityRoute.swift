import Foundation
import Hummingbird
import NIOCore
import ShelflistAPI

/// `/ca.pem`: the certificate that a phone has to trust.
///
/// It is public by nature.
struct AuthorityRoute: Sendable {
    let file: URL?

    func add(to table: inout RouteTable) {
        table.add(.get, "ca.pem", needs: .anyone) { _, _ in
            guard let file else { throw Problem.notFound }
            let data = try Data(contentsOf: file)
            return Response(
                status: .ok,
                headers: [.contentType: "application/x-x509-ca-cert", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: data)))
        }
    }
}
