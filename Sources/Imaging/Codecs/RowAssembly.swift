import Bounds

/// Assembles a picture from rows that a decoder delivers top to bottom, scaling and rotating them on the way, so that
/// the full stored picture is never in memory.
enum RowAssembly {
    /// - Parameters:
    ///   - stored: the size of the picture that the rows make up.
    ///   - target: the size to scale it to, before rotation; at most `stored` in both directions.
    ///   - read: fills the buffer with the next `count` RGB rows of `stored.width` pixels.
    static func image<Failure: Error>(
        stored: PixelSize, target: PixelSize, orientation: ExifOrientation,
        read: (_ rows: UnsafeMutablePointer<UInt8>, _ count: Int) throws(Failure) -> Void
    ) throws(Failure) -> RGBImage {
        let upright = orientation.upright(target)
        var failure: Failure?
        let samples = [UInt8](unsafeUninitializedCapacity: upright.area * 3) { buffer, count in
            guard let output = buffer.baseAddress else { return }
            do throws(Failure) {
                if target == stored, orientation == .up {
                    for y in stride(from: 0, to: stored.height, by: stripHeight) {
                        try read(output + y * stored.width * 3, min(stripHeight, stored.height - y))
                    }
                } else {
                    try reduceAndTurn(stored, target, orientation, into: output, read: read)
                }
                count = upright.area * 3
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return RGBImage(size: upright, samples: samples)
    }

    /// Scales and rotates a whole stored picture; returns it unchanged if neither is needed.
    static func image(_ whole: RGBImage, target: PixelSize, orientation: ExifOrientation) -> RGBImage {
        if target == whole.size, orientation == .up { return whole }
        return whole.samples.withUnsafeBufferPointer { input in
            var next = 0
            return image(stored: whole.size, target: target, orientation: orientation) { rows, count in
                let samples = count * whole.width * 3
                if let start = input.baseAddress { rows.update(from: start + next, count: samples) }
                next += samples
            }
        }
    }

    /// Rows per rotation step: the columns they become are then contiguous runs of this length.
    private static let stripHeight = 32

    private static func reduceAndTurn<Failure: Error>(
        _ stored: PixelSize, _ target: PixelSize, _ orientation: ExifOrientation,
        into output: UnsafeMutablePointer<UInt8>,
        read: (UnsafeMutablePointer<UInt8>, Int) throws(Failure) -> Void
    ) throws(Failure) {
        let input = UnsafeMutablePointer<UInt8>.allocate(capacity: min(stripHeight, stored.height) * stored.width * 3)
        defer { input.deallocate() }
        let strip = UnsafeMutablePointer<UInt8>.allocate(capacity: min(stripHeight, target.height) * target.width * 3)
        defer { strip.deallocate() }
        var reducer = target == stored ? nil : AreaReducer(from: stored, to: target)
        var written = 0
        var filled = 0

        for y in stride(from: 0, to: stored.height, by: stripHeight) {
            let count = min(stripHeight, stored.height - y)
            try read(input, count)
            if reducer == nil {
                place(input, rows: y..<y + count, of: target, orientation, into: output)
                continue
            }
            for row in 0..<count {
                reducer?.add(input + row * stored.width * 3) { finished in
                    (strip + filled * target.width * 3).update(from: finished, count: target.width * 3)
                    filled += 1
                    if filled == stripHeight || written + filled == target.height {
                        place(strip, rows: written..<written + filled, of: target, orientation, into: output)
                        written += filled
                        filled = 0
                    }
                }
            }
        }
    }

    /// Writes rows of a stored picture to their place in the upright one.
    static func place(
        _ source: UnsafePointer<UInt8>, rows: Range<Int>, of stored: PixelSize, _ orientation: ExifOrientation,
        into output: UnsafeMutablePointer<UInt8>
    ) {
        let (start, right, down) = orientation.placement(of: stored)
        let width = stored.width
        func copy(_ x: Int, _ y: Int) {
            let from = ((y - rows.lowerBound) * width + x) * 3
            let to = (start + x * right + y * down) * 3
            output[to] = source[from]
            output[to + 1] = source[from + 1]
            output[to + 2] = source[from + 2]
        }
        if orientation.exchangesSides {
            for x in 0..<width { for y in rows { copy(x, y) } }
        } else {
            for y in rows { for x in 0..<width { copy(x, y) } }
        }
    }
}

/// Scales a picture down row by row; each new pixel is the exact mean of the area it covers.
struct AreaReducer {
    private let source: PixelSize
    private let target: PixelSize
    /// Distance to the bottom edge of the current new row, in 1/256 of a stored row.
    private var boundary: Int
    private var sourceRow = 0
    private var targetRow = 0
    /// Sums over the rows so far, each weighted by 0...256 for the part of it inside the new row.
    private var sums: [UInt32]
    private var finished: [UInt8]

    init(from source: PixelSize, to target: PixelSize) {
        self.source = source
        self.target = target
        sums = [UInt32](repeating: 0, count: source.width * 3)
        finished = [UInt8](repeating: 0, count: target.width * 3)
        boundary = 0
        boundary = bottom(of: 0)
    }

    private func bottom(of row: Int) -> Int { (row + 1) * source.height * 256 / target.height }

    /// Adds the next stored row and emits the new row it completes, if any.
    ///
    /// When scaling down, a stored row overlaps at most two new rows.
    mutating func add(_ row: UnsafePointer<UInt8>, emit: (UnsafePointer<UInt8>) -> Void) {
        let top = sourceRow * 256
        sourceRow += 1
        guard targetRow < target.height else { return }
        let inside = min(256, boundary - top)
        accumulate(row, weight: UInt32(inside))
        guard boundary <= top + 256 else { return }
        finishRow(height: boundary - (targetRow == 0 ? 0 : bottom(of: targetRow - 1)))
        finished.withUnsafeBufferPointer { if let base = $0.baseAddress { emit(base) } }
        targetRow += 1
        boundary = bottom(of: targetRow)
        for i in sums.indices { sums[i] = 0 }
        if inside < 256 { accumulate(row, weight: UInt32(256 - inside)) }
    }

    private mutating func accumulate(_ row: UnsafePointer<UInt8>, weight: UInt32) {
        sums.withUnsafeMutableBufferPointer { sums in
            for i in 0..<sums.count { sums[i] &+= UInt32(row[i]) &* weight }
        }
    }

    private mutating func finishRow(height: Int) {
        let step = Float(source.width) / Float(target.width)
        let scale = 1 / (step * Float(height))
        sums.withUnsafeBufferPointer { sums in
            finished.withUnsafeMutableBufferPointer { finished in
                for x in 0..<target.width {
                    let left = Double(x) * Double(source.width) / Double(target.width)
                    let right = min(Double(x + 1) * Double(source.width) / Double(target.width), Double(source.width))
                    var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
                    var at = Int(pixels: left)
                    while Double(at) < right, at < source.width {
                        let weight = Float(min(Double(at + 1), right) - max(Double(at), left))
                        red += weight * Float(sums[at * 3])
                        green += weight * Float(sums[at * 3 + 1])
                        blue += weight * Float(sums[at * 3 + 2])
                        at += 1
                    }
                    finished[x * 3] = UInt8(level: min(255, red * scale + 0.5))
                    finished[x * 3 + 1] = UInt8(level: min(255, green * scale + 0.5))
                    finished[x * 3 + 2] = UInt8(level: min(255, blue * scale + 0.5))
                }
            }
        }
    }
}
