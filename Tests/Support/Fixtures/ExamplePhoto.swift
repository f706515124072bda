package import Foundation

/// The example photo in the repository: 26 books on two shelves, drawn by `draw-shelf`.
package enum ExamplePhoto {
    /// The folder `Examples`, found upwards from any source file of the package.
    package static func folder(from file: String = #filePath) throws -> URL {
        var folder = URL(fileURLWithPath: file)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let examples = folder.appendingPathComponent("Examples")
            if FileManager.default.fileExists(atPath: examples.appendingPathComponent("shelf.jpg").path) {
                return examples
            }
        }
        throw MissingExampleError(
            description: "There is no Examples/shelf.jpg above \(file). Draw it: Scripts/build.sh draw-shelf, "
                + "then .build/release/draw-shelf Examples/shelf.jpg")
    }

    /// The JPEG file.
    package static func photo(from file: String = #filePath) throws -> URL {
        try folder(from: file).appendingPathComponent("shelf.jpg")
    }

    /// The books in the photo.
    package static func truth(from file: String = #filePath) throws -> ShelfTruth {
        try JSONDecoder().decode(
            ShelfTruth.self, from: Data(contentsOf: folder(from: file).appendingPathComponent("shelf.json")))
    }
}

/// The example photo is missing.
package struct MissingExampleError: Error, CustomStringConvertible {
    package let description: String
}
