import Bounds
import Hummingbird

/// A page of HTML to print: it needs nothing else, runs no script and leads nowhere.
struct PrintedPage {
    var language: String
    /// Any text.
    var title: String
    var style: String
    /// HTML.
    var body: String

    /// What browsers may do with the page: draw its styles and its own elements.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    /// The policy is in the page as well as in the response, because a file does not have headers.
    var html: String {
        """
        <!DOCTYPE html>
        <html lang="\(language)"><head><meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <title>\(EscapedText.html(title))</title>
        <style>\(style)</style></head><body>
        \(body)
        </body></html>

        """
    }

    /// Returns the response with a page; printing it is allowed.
    static func response(_ html: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
                .contentSecurityPolicy: policy + "; sandbox allow-modals",
            ],
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
