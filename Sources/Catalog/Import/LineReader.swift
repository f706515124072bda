import Foundation

/// Splits a byte source into lines, in memory bounded by the longest line.
struct LineReader {
    /// The maximum length of a line in bytes, over ten times that of the longest lines in public dumps.
    ///
    /// Longer lines are skipped and counted.
    static let lineLimit = 16 << 20

    /// A line without its line break; valid only during the call.
    struct Line {
        var bytes: UnsafeBufferPointer<UInt8>
        /// Counted from 1.
        var number: Int
        /// The start of the next line, in bytes from the start of the decompressed file.
        var endOffset: Int
    }

    private let source: any ByteSource
    private var buffer: [UInt8]
    private var filled = 0
    private var offset: Int
    private var number: Int
    private var isSkippingLongLine = false

    /// - Parameters:
    ///   - offset: the current position of `source`.
    ///   - number: the number of lines before it.
    init(_ source: any ByteSource, offset: Int = 0, number: Int = 0) {
        self.source = source
        self.offset = offset
        self.number = number
        buffer = [UInt8](repeating: 0, count: 1 << 20)
    }

    /// Calls `body` with each line until it returns false, and `onLongLine` with the number of each skipped line.
    ///
    /// Lines before a read error are passed on first.
    mutating func forEachLine(onLongLine: (Int) -> Void, _ body: (Line) throws -> Bool) throws {
        var failure: (any Error)?
        while true {
            if filled == buffer.count {
                if filled >= Self.lineLimit {
                    isSkippingLongLine = true
                    offset += filled
                    filled = 0
                } else {
                    buffer.append(contentsOf: repeatElement(0, count: buffer.count))
                }
            }
            var got = 0
            do {
                got = try buffer.withUnsafeMutableBytes {
                    try source.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
                }
            } catch {
                failure = error
            }
            let isAtEnd = got == 0 && failure == nil  // an incomplete line before an error is ignored
            if try !takeLines(searchFrom: filled, until: filled + got, isAtEnd: isAtEnd, onLongLine, body) { return }
            if let failure { throw failure }
            if got == 0 { return }
        }
    }

    /// Passes on the complete lines and moves the rest to the buffer's start; returns false if `body` did.
    private mutating func takeLines(
        searchFrom: Int, until end: Int, isAtEnd: Bool, _ onLongLine: (Int) -> Void, _ body: (Line) throws -> Bool
    ) throws -> Bool {
        var start = 0
        var search = searchFrom
        var goesOn = true
        try buffer.withUnsafeMutableBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return }
            while goesOn {
                let found = memchr(base + search, 0x0A, end - search)
                    .map { UnsafeMutableRawPointer(base).distance(to: $0) }
                guard let stop = found ?? (isAtEnd && start < end ? end : nil) else { break }
                let next = found == nil ? stop : stop + 1
                number += 1
                offset += next - start
                if isSkippingLongLine {
                    isSkippingLongLine = false
                    onLongLine(number)
                } else {
                    let length = stop > start && base[stop - 1] == 0x0D ? stop - start - 1 : stop - start
                    let line = UnsafeBufferPointer(start: base + start, count: length)
                    goesOn = try body(Line(bytes: line, number: number, endOffset: offset))
                }
                start = next
                search = next
            }
            memmove(base, base + start, end - start)
        }
        filled = end - start
        return goesOn
    }
}
