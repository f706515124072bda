import Foundation
import ReadingFixtures

enum ScriptedPicture {
    /// A picture that can be decoded, with a script.
    static func data(_ script: String) throws -> Data { Data(try ScriptedReader.picture(script)) }
}

/// Another result than a test expects.
struct Unexpected: Error {
    var found = ""
}
