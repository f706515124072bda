import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The path below which clients reach the server: `/books`, or empty if the host name is the server's own.
package struct BasePath: Hashable, Sendable {
    /// Without a slash at the end.
    package let text: String

    package static let root = BasePath(checked: "")

    private init(checked text: String) { self.text = text }

    /// Reads a path with or without a slash at the end; `/` and an empty text are the root.
    ///
    /// Characters that proxies and browsers write in more than one way are refused: dots, percent signs, and all
    /// outside of ASCII.
    ///
    /// - Returns: `nil` for a text that is not such a path.
    package init?(_ text: String) {
        guard text.utf8.count <= 200 else { return nil }
        let path = text.hasSuffix("/") ? text.dropLast() : text[...]
        guard !path.isEmpty else {
            self = .root
            return
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts[0].isEmpty, parts.count > 1,
            parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) })
        else { return nil }
        self.init(checked: String(path))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    package var isRoot: Bool { text.isEmpty }
    /// The path of the web app: `/books/`, or `/`.
    package var folder: String { text + "/" }

    /// Where the target of a request is.
    enum Place: Hashable, Sendable {
        /// The path below the base path, with its query.
        case inside(String)
        /// The base path without the slash at its end, and the query with its mark.
        case withoutSlash(query: String)
        case outside
    }

    func place(of target: String) -> Place {
        guard !isRoot else { return .inside(target) }
        guard target.hasPrefix(text) else { return .outside }
        let rest = target.dropFirst(text.count)
        if rest.hasPrefix("/") { return .inside(String(rest)) }
        return rest.isEmpty || rest.hasPrefix("?") ? .withoutSlash(query: String(rest)) : .outside
    }
}

/// Removes the base path from requests before routing, and adds it to the `Location` of answers.
///
/// Everything behind it sees paths without the base path.
struct BasePathResponder<Next: HTTPResponder>: HTTPResponder where Next.Context == AppContext {
    let gatekeeper: Gatekeeper
    let next: Next

    func respond(to request: Request, context: AppContext) async throws -> Response {
        let head = RequestHead(request.head, peer: context.peer)
        let base = gatekeeper.basePath
        var context = context
        context.base = BaseAddress(origin: gatekeeper.origin(of: head), basePath: base)
        context.place = gatekeeper.place(of: request.head.path ?? "/", head)
        var rewritten = request.head
        // `BasePathAccess` answers the others, which match no route at the root.
        rewritten.path = if case .inside(let path) = context.place { path } else { "/" }
        var response = try await next.respond(to: Request(head: rewritten, body: request.body), context: context)
        if let location = response.headers[.location], location.hasPrefix("/") {
            response.headers[.location] = base.text + location
        }
        return response
    }
}

/// Answers requests outside of the base path.
struct BasePathAccess: RouterMiddleware {
    let basePath: BasePath

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        switch context.place {
        case .inside: return try await next(request, context)
        case .withoutSlash(let query):
            return Response(status: .temporaryRedirect, headers: [.location: "/" + query, .cacheControl: "no-store"])
        case .outside: throw Problem.outside(basePath)
        }
    }
}
