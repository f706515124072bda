import Foundation
import Server
import ServerFixtures
import Testing

@Suite struct ContractTests {
    @Test("The OpenAPI document and the routes list the same operations")
    func documentMatchesRoutes() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/api/openapi.json").standardizedFileURL
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        var described: Set<String> = []
        for (path, item) in paths {
            let prefix = item["servers"] == nil ? "/api/v1" : ""
            for method in item.keys where method != "servers" {
                let names = path.replacing(/\{\w+\}/, with: "{}")
                described.insert("\(method.uppercased()) \(prefix)\(names)")
            }
        }
        let routes = try await withServer { $0.server.routeList }
        let served = Set(
            routes.map { "\($0.method) /" + $0.path.replacing(/:\w+/, with: "{}") }.filter {
                $0.contains("/api/v1/") && !$0.contains("openapi.json") || $0.hasSuffix("/health")
                    || $0.hasSuffix("/ready") || $0.hasSuffix("/metrics")
            })
        #expect(served.subtracting(described).sorted() == [])
        #expect(described.subtracting(served).sorted() == [])
    }
}
