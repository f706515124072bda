package import Imaging

/// A picture of 64 × 64 pixels in one of the formats, red on the left and blue on the right.
package struct SamplePicture: Sendable {
    package var format: ImageFormat
    package var base64: String
    /// The Debian package that decodes the format.
    var package: String

    static let size = PixelSize(width: 64, height: 64)

    var remedy: String {
        "install the image libraries again (Debian: apt-get install --reinstall \(package)), or run 'make setup'."
    }

    /// Whether the colours are close to the original; lossy formats are not exact.
    package func isRight(_ image: RGBImage) -> Bool {
        guard image.size == Self.size else { return false }
        let left = image[12, 32]
        let right = image[52, 32]
        return left.red > 150 && left.blue < 90 && right.blue > 150 && right.red < 90
    }

    package static let all = [
        SamplePicture(
            format: .jpeg,
            base64: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxO\
                UlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09P\
                T09PT09PT0//wAARCABAAEADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQF/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/E\
                ABYBAQEBAAAAAAAAAAAAAAAAAAAGBP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AMYBgVwACQBcoUABWAhl0AAk\
                AXKFAAVgIZdAAJAFyhQAFYCGXQACQBcoUAB//9k=
                """, package: "libjpeg62-turbo"),
        SamplePicture(
            format: .png,
            base64: """
                iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAWklEQVR42u3PQQ0AIBAEsQMNiDhZSEMOslCxD5KOgEk6bncl2+tE\
                /7M+DwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACDfA6aUAqwGWGR5AAAAAElFTkSuQmCC
                """, package: "libpng16-16"),
        SamplePicture(
            format: .webp,
            base64: """
                UklGRmgAAABXRUJQVlA4IFwAAABwBACdASpAAEAAPtFiq1AoJSOiqhM4AQAaCWMA0EXAAAhAruOcVYsmk/VAAAD+6Di/VVPX43f/\
                xDmt3c5rU0/x7X/+Ic1u7nNinvctFUatQs8DHWkRtKNx9gAAAA==
                """, package: "libwebp7"),
        SamplePicture(
            format: .heic,
            base64: """
                AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAVZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
                ACJpbG9jAAAAAERAAAEAAQAAAAABegABAAAAAAAAACoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRt\
                AAAAAAABAAAA1mlwcnAAAAC3aXBjbwAAAHhodmNDAQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMA\
                AAMAHroCQGEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgIaDAgAAAMAyAAAAwAIQGIAAQAHRAHBcrAiQAAAABNjb2xy\
                bmNseAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgQIDBAAAADJt\
                ZGF0AAAAJigBrxOA5TPAn//sSo//bnzw+7sQqv/xCeR/L8G//GmRcpFf/ssv
                """, package: "libheif1"),
    ]
}
