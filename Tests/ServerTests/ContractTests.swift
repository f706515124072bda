import Foundation
import Server
import ServerFixtures
import Testing

@Suite struct ContractTests {
    /// The part of the OpenAPI document that says who may use an operation.
    private struct Document: Decodable {
        typealias Security = [[String: [String]]]

        struct Item: Decodable {
            var operations: [String: Operation] = [:]
            var isOutsideAPI = false

            private struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }

                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { return nil }
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                for key in values.allKeys {
                    if key.stringValue == "servers" {
                        isOutsideAPI = true
                    } else {
                        operations[key.stringValue.uppercased()] = try values.decode(Operation.self, forKey: key)
                    }
                }
            }
        }

        struct Operation: Decodable {
            var security: Security?
            var role: String

            private enum CodingKeys: String, CodingKey {
                case security
                case role = "x-role"
            }
        }

        var security: Security
        var paths: [String: Item]

        static func read() throws -> Document {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../docs/api/openapi.json").standardizedFileURL
            return try JSONDecoder().decode(Document.self, from: Data(contentsOf: file))
        }

        /// The operations by method and path, without the names of parameters.
        var operations: [String: Operation] {
            var operations: [String: Operation] = [:]
            for (path, item) in paths {
                let path = (item.isOutsideAPI ? "" : "/api/v1") + path.replacing(/\{\w+\}/, with: "{}")
                for (method, operation) in item.operations { operations["\(method) \(path)"] = operation }
            }
            return operations
        }
    }

    /// The routes that the document describes, by method and path.
    private func routes() async throws -> [String: Route] {
        let routes = try await withServer { $0.server.routeList }
        let named = routes.map { ("\($0.method) /" + $0.path.replacing(/:\w+/, with: "{}"), $0) }.filter { name, _ in
            name.contains("/api/v1/") && !name.contains("openapi.json") || name.hasSuffix("/health")
                || name.hasSuffix("/ready") || name.hasSuffix("/metrics")
        }
        return Dictionary(uniqueKeysWithValues: named)
    }

    @Test("The OpenAPI document and the routes list the same operations")
    func documentMatchesRoutes() async throws {
        let described = Set(try Document.read().operations.keys)
        let served = Set(try await routes().keys)
        #expect(served.subtracting(described).sorted() == [])
        #expect(described.subtracting(served).sorted() == [])
    }

    @Test("The OpenAPI document names the role and the credentials that each route requires")
    func documentMatchesRequirements() async throws {
        let document = try Document.read()
        let operations = document.operations
        for (name, route) in try await routes() {
            let operation = try #require(operations[name], "\(name)")
            #expect(operation.role == route.needed?.role.rawValue ?? "anyone", "\(name)")
            let alternatives: Set<String> = Set((operation.security ?? document.security).map { $0.keys.joined() })
            var accepted: Set<String> = route.needed == nil || route.takesLoopback ? [""] : []
            if route.needed != nil {
                accepted.insert("session")
                if route.takesTokens { accepted.insert("bearer") }
                if route.takesJobToken { accepted.insert("job") }
            }
            #expect(alternatives == accepted, "\(name)")
        }
    }
}
