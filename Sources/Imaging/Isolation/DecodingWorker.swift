internal import CSandbox
internal import Foundation

/// The process that decodes photos for a server: without files, network, keys and library.
///
/// Reads requests from its standard input and writes answers to its standard output until the server closes them.
///
/// Numbers are 64-bit, in the machine's byte order. A request is: length of the file, bytes, pixels, side and aspect of
/// the limits, working pixels; then the file. An answer is: 1, width and height of the picture, width and height of the
/// photo, the index of the format, length of the samples; then the samples. Or: 0, the numbers of the problem, two zeros.
package enum DecodingWorker {
    /// How many numbers a request and an answer begin with.
    static let requestLength = 6
    static let answerLength = 7

    /// Confines the process, writes a byte for each part of the confinement, and answers requests.
    ///
    /// - Parameter memory: the address space for one photo, in bytes.
    package static func run(memory: Int) {
        HEICCodec.loadPlugins()
        guard write(Confinement.enter(memory: memory)) else { return }
        while let header = numbers(requestLength), let file = read(header[0]) {
            let limits = PhotoLimits(
                maxBytes: header[1], maxPixels: header[2], maxSide: header[3], maxAspect: header[4])
            guard answer(file, limits, workingPixels: header[5]) else { return }
        }
    }

    /// The only line of `check` in a process that is fully confined.
    static let confined = "confined"

    /// Confines the process and writes what does not hold and what it can still do, one line for each.
    package static func check() {
        HEICCodec.loadPlugins()
        let confinement = Confinement(codes: Confinement.enter(memory: 1 << 30))
        let attempts = [
            ("open files", SHELF_ATTEMPT_FILE), ("open sockets", SHELF_ATTEMPT_SOCKET),
            ("start processes", SHELF_ATTEMPT_PROCESS), ("run programs", SHELF_ATTEMPT_PROGRAM),
            ("send signals", SHELF_ATTEMPT_SIGNAL),
        ]
        let allowed = attempts.filter { shelf_sandbox_attempt($1) == 0 }.map { "it can \($0.0)" }
        let lines = confinement.gaps.map { "missing: \($0)" } + allowed
        _ = write(Array(((lines.isEmpty ? [confined] : lines).joined(separator: "\n") + "\n").utf8))
    }

    private static func answer(_ file: [UInt8], _ limits: PhotoLimits, workingPixels: Int) -> Bool {
        do throws(ImageError) {
            let photo = try PhotoDecoder.decode(file, limits: limits, workingPixels: workingPixels)
            let format = ImageFormat.allCases.firstIndex(of: photo.format) ?? 0
            return write(
                bytes(of: [
                    1, photo.image.width, photo.image.height, photo.originalSize.width, photo.originalSize.height,
                    format, photo.image.samples.count,
                ])) && write(photo.image.samples)
        } catch {
            return write(bytes(of: [0] + (error.problem ?? .outOfMemory).numbers + [0, 0]))
        }
    }

    static func bytes(of numbers: [Int]) -> [UInt8] { numbers.withUnsafeBytes { Array($0) } }

    static func numbers(in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: MemoryLayout<Int>.size).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: Int.self)
            }
        }
    }

    private static func numbers(_ count: Int) -> [Int]? {
        read(count * MemoryLayout<Int>.size).map { numbers(in: $0) }
    }

    private static func read(_ count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = Foundation.read(0, buffer.baseAddress?.advanced(by: filled), count - filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isWhole = false
                    return
                }
                filled += got
            }
        }
        return isWhole ? bytes : nil
    }

    private static func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let written = Foundation.write(1, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return false }
                done += written
            }
            return true
        }
    }
}
