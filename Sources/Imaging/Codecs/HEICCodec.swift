internal import Bounds
internal import CImageCodecs

/// Reads HEIC with libheif.
///
/// Rotation and mirroring are part of the format and applied by libheif. An EXIF orientation only repeats them and is
/// ignored (ISO/IEC 23008-12, A.2.3).
package enum HEICCodec {
    /// Loads the decoders that libheif has as plugins, which a confined process could not do later.
    static func loadPlugins() { _ = heif_init(nil) }

    static func decode(_ bytes: [UInt8], _ request: DecodingRequest) throws(ImageError) -> DecodedPhoto {
        try HEICReferences.withNeededOnly(bytes) { buffer throws(ImageError) in
            let context = heif_context_alloc()
            defer { heif_context_free(context) }
            try heif_context_read_from_memory_without_copy(context, buffer.baseAddress, buffer.count, nil).check()
            var primary: OpaquePointer?
            try heif_context_get_primary_image_handle(context, &primary).check()
            defer { heif_image_handle_release(primary) }
            // After the format's transformations.
            let size = PixelSize(
                width: Int(heif_image_handle_get_width(primary)), height: Int(heif_image_handle_get_height(primary)))
            try request.check(size, .heic)
            // Embedded images may be larger than the header says; up to one tile more is normal.
            heif_context_set_maximum_image_size_limit(context, Int32(clamping: size.longSide + 512))
            let options = heif_decoding_options_alloc()
            defer { heif_decoding_options_free(options) }
            options?.pointee.strict_decoding = 1
            // Decoded as stored, without conversion and so without a second copy.
            var picture: OpaquePointer?
            try heif_decode_image(primary, &picture, heif_colorspace_undefined, heif_chroma_undefined, options).check()
            let planes = try HEICPlanes(picture)
            try request.check(planes.size, .heic)
            let converter = YCbCrConverter(planes)
            var next = 0
            let image = try RowAssembly.image(
                stored: planes.size, target: request.target(for: planes.size), orientation: .up
            ) { rows, count throws(ImageError) in
                for row in 0..<count { converter.convert(row: next + row, into: rows + row * planes.size.width * 3) }
                next += count
            }
            return DecodedPhoto(image: image, originalSize: planes.size, format: .heic)
        }
    }
}

extension heif_error {
    /// Throws the `ImageError` that corresponds to libheif's result.
    fileprivate func check() throws(ImageError) {
        guard code != heif_error_Ok else { return }
        if code == heif_error_Memory_allocation_error, subcode != heif_suberror_Security_limit_exceeded {
            throw .outOfMemory
        }
        if subcode == heif_suberror_End_of_data { throw .truncated(.heic) }
        let reason = message.map { String(cString: $0) } ?? "no reason given"
        let isUnsupported = [
            heif_error_Unsupported_filetype, heif_error_Unsupported_feature,
        ].contains(code)
        throw isUnsupported ? .unsupportedFeature(.heic, reason) : .damaged(.heic, reason)
    }
}

/// A decoded HEIC picture: one to three colour planes, of which the second and third may have half the resolution,
/// and an optional alpha plane.
private final class HEICPlanes {
    struct Plane {
        var base: UnsafePointer<UInt8>
        var stride: Int
        /// Picture pixels per sample of the plane, as a shift: 0 or 1.
        var shiftX: Int
        var shiftY: Int
        /// Bits per sample; samples of more than 8 bits take two bytes, little-endian.
        var bits: Int
    }

    let size: PixelSize
    let colors: [Plane]
    let opacity: Plane?
    let matrix: ColorMatrix
    private let image: OpaquePointer

    /// Takes ownership of `image`.
    init(_ image: OpaquePointer?) throws(ImageError) {
        guard let image else { throw .damaged(.heic, "it contains no picture") }
        self.image = image
        let space = heif_image_get_colorspace(image)
        let channels: [heif_channel] =
            switch space {
            case heif_colorspace_YCbCr: [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
            case heif_colorspace_RGB: [heif_channel_R, heif_channel_G, heif_channel_B]
            default: [heif_channel_Y]
            }
        let size = PixelSize(
            width: Int(heif_image_get_width(image, channels[0])), height: Int(heif_image_get_height(image, channels[0]))
        )
        self.size = size
        let planes = channels.map { Self.plane(image, $0, size) }
        colors = planes.compactMap { $0 }
        opacity = Self.plane(image, heif_channel_Alpha, size)
        matrix = space == heif_colorspace_RGB ? .none : ColorMatrix(of: image)
        guard colors.count == channels.count else { throw .damaged(.heic, "unknown colour encoding") }
    }

    deinit { heif_image_release(image) }

    /// Returns `nil` if the channel is missing or its size does not match the picture's.
    private static func plane(_ image: OpaquePointer, _ channel: heif_channel, _ size: PixelSize) -> Plane? {
        guard heif_image_has_channel(image, channel) != 0 else { return nil }
        var stride: Int32 = 0
        let width = Int(heif_image_get_width(image, channel))
        let height = Int(heif_image_get_height(image, channel))
        let bits = Int(heif_image_get_bits_per_pixel_range(image, channel))
        guard let base = heif_image_get_plane_readonly(image, channel, &stride), (8...16).contains(bits),
            let shiftX = shift(from: size.width, to: width), let shiftY = shift(from: size.height, to: height),
            Int(stride) >= width * (bits > 8 ? 2 : 1)
        else { return nil }
        return Plane(base: base, stride: Int(stride), shiftX: shiftX, shiftY: shiftY, bits: bits)
    }

    private static func shift(from whole: Int, to part: Int) -> Int? {
        part == whole ? 0 : part == (whole + 1) / 2 ? 1 : nil
    }
}

/// The coefficients that convert luma and chroma to red, green and blue (ITU-T H.273, table 4).
private struct ColorMatrix {
    /// Weights of red and blue in the luma; `nil` if the planes are red, green and blue.
    var weights: (red: Float, blue: Float)?
    var order = [0, 1, 2]
    var fullRange = true

    static let none = ColorMatrix(weights: nil)
    private static let bt601: (Float, Float) = (0.299, 0.114)

    private init(weights: (Float, Float)?) { self.weights = weights }

    /// Reads the matrix from the picture's colour profile; BT.601, as in JPEG, without one.
    init(of image: OpaquePointer) {
        weights = Self.bt601
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        let error = heif_image_get_nclx_color_profile(image, &profile)
        defer { heif_nclx_color_profile_free(profile) }
        guard error.code == heif_error_Ok, let profile else { return }
        fullRange = profile.pointee.full_range_flag != 0
        switch profile.pointee.matrix_coefficients {
        case heif_matrix_coefficients_RGB_GBR:
            weights = nil
            order = [2, 0, 1]
        case heif_matrix_coefficients_ITU_R_BT_709_5: weights = (0.2126, 0.0722)
        case heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance,
            heif_matrix_coefficients_ITU_R_BT_2020_2_constant_luminance:
            weights = (0.2627, 0.0593)
        default: break
        }
    }
}

/// Converts rows of planes to rows of RGB over white.
private final class YCbCrConverter {
    private let planes: HEICPlanes
    private var lines: [[UInt8]]
    private var alpha: [UInt8]
    /// In 1/65536: luma to all channels; Cr to red; Cb and Cr to green; Cb to blue.
    private let factors: (y: Int32, redCr: Int32, greenCb: Int32, greenCr: Int32, blueCb: Int32)
    private let black: Int32

    init(_ planes: HEICPlanes) {
        self.planes = planes
        let line = [UInt8](repeating: 255, count: planes.size.width)
        // A grey picture has neutral chroma.
        let neutral = [UInt8](repeating: 128, count: line.count)
        lines = (0..<3).map { $0 < planes.colors.count ? line : neutral }
        alpha = planes.opacity == nil ? [] : line
        let matrix = planes.matrix
        let (red, blue) = matrix.weights ?? (0, 0)
        let green = 1 - red - blue
        let color: Float = matrix.fullRange ? 1 : 255.0 / 224
        func fixed(_ value: Float) -> Int32 { Int32(saturating: (value * 65536).rounded()) }
        factors = (
            fixed(matrix.fullRange ? 1 : 255.0 / 219), fixed(color * 2 * (1 - red)),
            fixed(color * 2 * (1 - blue) * blue / green), fixed(color * 2 * (1 - red) * red / green),
            fixed(color * 2 * (1 - blue))
        )
        black = matrix.fullRange ? 0 : 16
    }

    func convert(row: Int, into rgb: UnsafeMutablePointer<UInt8>) {
        for (index, plane) in planes.colors.enumerated() { plane.expand(row: row, into: &lines[index]) }
        if planes.colors.count == 1 || planes.matrix.weights != nil {
            combine(lines[0], lines[1], lines[2], into: rgb)
        } else {
            let order = planes.matrix.order
            for x in 0..<planes.size.width { for c in 0..<3 { rgb[x * 3 + c] = lines[order[c]][x] } }
        }
        guard let opacity = planes.opacity else { return }
        opacity.expand(row: row, into: &alpha)
        for x in 0..<planes.size.width {
            let opaque = Int(alpha[x])
            for c in 0..<3 { rgb[x * 3 + c] = UInt8((Int(rgb[x * 3 + c]) * opaque + 255 * (255 - opaque) + 127) / 255) }
        }
    }

    private func combine(_ ys: [UInt8], _ cbs: [UInt8], _ crs: [UInt8], into rgb: UnsafeMutablePointer<UInt8>) {
        let factors = factors
        let black = black
        let width = planes.size.width
        func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max((value &+ 32768) >> 16, 0), 255)) }
        ys.withUnsafeBufferPointer { ys in
            cbs.withUnsafeBufferPointer { cbs in
                crs.withUnsafeBufferPointer { crs in
                    for x in 0..<width {
                        let y = (Int32(ys[x]) &- black) &* factors.y
                        let cb = Int32(cbs[x]) &- 128
                        let cr = Int32(crs[x]) &- 128
                        rgb[x * 3] = clamp(y &+ cr &* factors.redCr)
                        rgb[x * 3 + 1] = clamp(y &- cb &* factors.greenCb &- cr &* factors.greenCr)
                        rgb[x * 3 + 2] = clamp(y &+ cb &* factors.blueCb)
                    }
                }
            }
        }
    }
}

extension HEICPlanes.Plane {
    /// Expands one row to 8 bits and full width.
    fileprivate func expand(row: Int, into line: inout [UInt8]) {
        let source = base + (row >> shiftY) * stride
        line.withUnsafeMutableBufferPointer { line in
            if bits > 8 {
                for x in 0..<line.count {
                    let at = (x >> shiftX) * 2
                    line[x] = UInt8(truncatingIfNeeded: (Int(source[at]) | Int(source[at + 1]) << 8) >> (bits - 8))
                }
            } else if shiftX == 1 {
                for x in 0..<line.count { line[x] = source[x >> 1] }
            } else {
                for x in 0..<line.count { line[x] = source[x] }
            }
        }
    }
}
