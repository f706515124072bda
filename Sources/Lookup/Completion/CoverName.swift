import Bounds
import Foundation

/// This server's names for provider covers: `openlibrary-9255566`, `googlebooks-zyTCAlFPjgYC`, `isbndb-…`.
///
/// Browsers request covers from this server, never from the provider. A name contains an identifier instead of a URL,
/// so that clients cannot make the server fetch other addresses.
package enum CoverName {
    /// Returns the name of a cover; nil if the address is not a provider's cover.
    package static func of(_ address: String?) -> String? {
        guard let address, let url = URL(string: address) else { return nil }
        let host = url.host()?.lowercased() ?? ""
        if let match = url.path().wholeMatch(of: /\/b\/id\/([0-9]{1,12})-[SML]\.jpg/) {
            return "openlibrary-\(match.1)"
        }
        if host == "books.google.com",
            let id = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
                .first(where: { $0.name == "id" })?.value, id.wholeMatch(of: /[A-Za-z0-9_-]{1,40}/) != nil
        {
            return "googlebooks-\(id)"
        }
        if host == "images.isbndb.com", let match = url.path().wholeMatch(of: /\/covers\/([0-9A-Za-z\/_.-]{1,80})/) {
            // Names must not contain slashes.
            return "isbndb-" + match.1.replacing(scalar: "/", with: "~")
        }
        return nil
    }

    /// Returns the URL of a named cover; nil for an invalid name.
    ///
    /// - Parameter openLibrary: the base URL of Open Library's covers.
    static func address(of name: String, openLibrary: URL) -> URL? {
        if let match = name.wholeMatch(of: /openlibrary-([0-9]{1,12})/) {
            return openLibrary.appending(path: "b/id/\(match.1)-L.jpg")
        }
        if let match = name.wholeMatch(of: /googlebooks-([A-Za-z0-9_-]{1,40})/) {
            return URL(
                string: "https://books.google.com/books/content?id=\(match.1)&printsec=frontcover&img=1&zoom=1")
        }
        if let match = name.wholeMatch(of: /isbndb-([0-9A-Za-z~_.-]{1,80})/), !name.contains("..") {
            return URL(string: "https://images.isbndb.com/covers/" + match.1.replacing(scalar: "~", with: "/"))
        }
        return nil
    }
}
