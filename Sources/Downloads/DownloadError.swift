package import Foundation
import ShelflistAPI

/// Why a file could not be downloaded; the message is shown to the user.
package enum DownloadError: ReportedError, Equatable {
    case unreachable(host: String)
    case status(Int, url: URL)
    case webPage(url: URL)
    case notGzip(url: URL)
    case foreignHost(String, from: URL)
    case redirectedTooOften(url: URL)
    /// The server has another file than the one whose download began.
    case changed(name: String)
    /// The connection was cut several times in a row.
    case cut(name: String, byte: Int)

    package var problemCode: String { isTransient ? "dumps_unavailable" : "dumps_unusable" }

    package var description: String {
        switch self {
        case .unreachable(let host):
            "\(host) cannot be reached. Check the connection, then start the download again; it resumes."
        case .status(404, let url), .status(410, let url):
            "There is no file at \(url). Check the address (SHELFLIST_DUMPS_URL)."
        case .status(let status, let url):
            "\(url) answered with status \(status). Try again later; the download resumes."
        case .webPage(let url):
            "\(url) is a web page, not a dump. Check the address (SHELFLIST_DUMPS_URL), and that no portal asks for a "
                + "sign-in on this network."
        case .notGzip(let url): "\(url) is not a gzip file. Check the address (SHELFLIST_DUMPS_URL)."
        case .foreignHost(let host, let url):
            "\(url) redirects to “\(host)”, which is not allowed: downloads come from openlibrary.org, archive.org or the "
                + "configured host over HTTPS. Check the address (SHELFLIST_DUMPS_URL)."
        case .redirectedTooOften(let url):
            "\(url) redirects more than \(DownloadRequest.redirectLimit) times. Check the address (SHELFLIST_DUMPS_URL)."
        case .changed(let name):
            "\(name) was replaced on the server during the download. Start the download again; it begins with the new file."
        case .cut(let name, let byte):
            "The connection was lost repeatedly at byte \(byte) of \(name). Check the connection, then start "
                + "the download again; it resumes."
        }
    }

    /// The cause without advice, for a retry that is announced.
    var summary: String {
        switch self {
        case .cut: "The connection was lost."
        case .unreachable(let host): "\(host) cannot be reached."
        case .status(let status, let url): "\(url.host() ?? "The server") answered with status \(status)."
        default: description
        }
    }

    /// Whether another attempt may succeed.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .cut: true
        case .status(let status, _): status == 408 || status == 429 || status >= 500
        case .webPage, .notGzip, .foreignHost, .redirectedTooOften, .changed: false
        }
    }
}
