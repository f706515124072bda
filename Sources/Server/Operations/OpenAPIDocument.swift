import Foundation

/// The description of the API, which names the paths of the servers that it applies to.
enum OpenAPIDocument {
    /// Returns the document with its servers below the base path.
    ///
    /// - Throws: `CocoaError` if the document is not JSON.
    static func bytes(of document: Data, below basePath: BasePath) throws -> [UInt8] {
        guard !basePath.isRoot else { return [UInt8](document) }
        let value = try JSONSerialization.jsonObject(with: document)
        let moved = move(value, below: basePath)
        return [UInt8](
            try JSONSerialization.data(withJSONObject: moved, options: [.sortedKeys, .withoutEscapingSlashes]))
    }

    /// Changes the servers of the document and of its paths.
    private static func move(_ value: Any, below basePath: BasePath) -> Any {
        guard var fields = value as? [String: Any] else { return value }
        if let servers = fields["servers"] as? [[String: Any]] {
            fields["servers"] = servers.map { server in
                var server = server
                if let url = server["url"] as? String {
                    server["url"] = url == "/" ? basePath.text : basePath.text + url
                }
                return server
            }
        }
        if let paths = fields["paths"] as? [String: Any] {
            fields["paths"] = paths.mapValues { move($0, below: basePath) }
        }
        return fields
    }
}
