import Foundation
import ServerFixtures
import Testing

/// What pages to print must not do with texts of the library.
enum PrintedPages {
    /// Markup behind U+0D4E, a letter which is one character with whatever follows it, and before marks.
    static let hostile = "\u{D4E}<script\u{D4E}>go()\u{D4E}</script\u{D4E}>\u{D4E}<a/href=x>'\u{301}&\u{200D}amp;"

    /// Expects the bytes that a browser reads: `String` compares characters.
    static func expectSafe(_ answer: Answer) {
        let page = Data(answer.body)
        #expect(answer.status == 200)
        for markup in ["<script", "</script", "<a/href"] { #expect(page.range(of: Data(markup.utf8)) == nil) }
        #expect(page.range(of: Data("&lt;a/href=x&gt;&#39;\u{301}&amp;\u{200D}amp;".utf8)) != nil)
        let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        let element = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
        #expect(page.range(of: Data(element.utf8)) != nil)
        #expect(answer.headers["content-security-policy"] == policy + "; sandbox allow-modals")
    }
}
