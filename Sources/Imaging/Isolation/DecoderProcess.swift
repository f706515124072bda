internal import Bounds
internal import CSandbox
internal import Foundation

/// Why a decoding process gave no answer.
enum DecoderFailure: Error {
    case notStarted(String)
    case ended
    /// All processes were closed.
    case closed
    case tookTooLong
    case invalidAnswer

    /// The error for the photo that was not decoded.
    func error(longest: Duration) -> ImageError {
        switch self {
        case .notStarted(let reason): .noDecoder(reason)
        case .closed: .noDecoder("the server is being stopped")
        case .ended, .invalidAnswer: .endsDecoder
        case .tookTooLong: .tookTooLong(longest)
        }
    }

    /// For the log.
    var reason: String {
        switch self {
        case .notStarted(let reason): "it could not be started: \(reason)"
        case .ended: "it ended"
        case .closed: "it was closed"
        case .tookTooLong: "it took too long"
        case .invalidAnswer: "its answer was not valid"
        }
    }
}

/// One running `DecodingWorker`, used by one thread at a time.
struct DecoderProcess {
    let id: pid_t
    /// Known after `greet`.
    private(set) var confinement = Confinement(codes: [])
    /// How many photos it decoded.
    var photos = 0
    private let socket: Int32

    /// Starts a process, which decodes after `greet`.
    init(_ settings: DecoderProcesses.Settings) throws(DecoderFailure) {
        let variables = Self.environment(ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        var socket: Int32 = -1
        let id = withCStrings([settings.program] + settings.arguments) { arguments in
            withCStrings(variables) { shelf_worker_start(arguments, $0, &socket) }
        }
        guard id > 0 else { throw .notStarted(String(cString: strerror(-id))) }
        (self.id, self.socket) = (id, socket)
    }

    /// Waits until the process is confined.
    ///
    /// - Throws: `DecoderFailure.notStarted`; the process has to be ended.
    mutating func greet(until deadline: SuspendingClock.Instant) throws(DecoderFailure) {
        do throws(DecoderFailure) {
            confinement = Confinement(
                codes: try Self.receive(Confinement.Part.allCases.count, socket, until: deadline))
        } catch {
            throw .notStarted(error.reason)
        }
    }

    /// Starts a process that ends by itself, and waits for its end.
    ///
    /// - Returns: what it writes, at most 4,096 bytes.
    static func output(_ settings: DecoderProcesses.Settings) throws(DecoderFailure) -> String {
        let process = try DecoderProcess(settings)
        defer { process.end() }
        let deadline = SuspendingClock.now + settings.start
        var output: [UInt8] = []
        while output.count < 4096 {
            do throws(DecoderFailure) {
                output += try receive(1, process.socket, until: deadline)
            } catch {
                guard case .ended = error else { throw error }
                break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// What the process inherits: no keys, and what its libraries need.
    private static func environment(_ own: [String: String]) -> [String: String] {
        // A crash in a process without files cannot be traced; each thread's arena would take 128 MB of address space;
        // large pages make the memory of a photo cheaper to use for the first time.
        var environment = [
            "SWIFT_BACKTRACE": "enable=no", "MALLOC_ARENA_MAX": "2", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
        ]
        for name in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] { environment[name] = own[name] }
        return environment
    }

    /// Decodes a photo.
    ///
    /// - Throws: `DecoderFailure`; the process cannot be used after that and has to be ended.
    mutating func decode(
        _ bytes: [UInt8], limits: PhotoLimits, workingPixels: Int, until deadline: SuspendingClock.Instant
    ) throws(DecoderFailure) -> Result<DecodedPhoto, ImageError> {
        photos += 1
        let request = [
            bytes.count, limits.maxBytes, limits.maxPixels, limits.maxSide, limits.maxAspect, workingPixels,
        ]
        try Self.send(DecodingWorker.bytes(of: request), socket, until: deadline)
        try Self.send(bytes, socket, until: deadline)
        let length = DecodingWorker.answerLength * MemoryLayout<Int>.size
        let answer = DecodingWorker.numbers(in: try Self.receive(length, socket, until: deadline))
        guard answer[0] == 1 else {
            guard answer[0] == 0, let problem = DecodingProblem(numbers: Array(answer[1...DecodingProblem.count]))
            else {
                throw .invalidAnswer
            }
            return .failure(problem.error(for: bytes, limits: limits))
        }
        let count = answer[6]
        let original = PixelSize(width: answer[3], height: answer[4])
        guard let size = Self.size(answer[1], answer[2], area: max(1, workingPixels)), limits.allow(original),
            size.width <= original.width, size.height <= original.height,
            ImageFormat.allCases.indices.contains(answer[5]), count == size.area * 3
        else { throw .invalidAnswer }
        let samples = try Self.receive(count, socket, until: deadline)
        return .success(
            DecodedPhoto(
                image: RGBImage(size: size, samples: samples), originalSize: original,
                format: ImageFormat.allCases[answer[5]]))
    }

    /// Ends the process and waits for its end.
    func end() {
        close(socket)
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }

    private static func size(_ width: Int, _ height: Int, area: Int) -> PixelSize? {
        guard width > 0, height > 0, width <= area / height else { return nil }
        return PixelSize(width: width, height: height)
    }

    // MARK: Bytes

    private static func send(
        _ bytes: [UInt8], _ socket: Int32, until deadline: SuspendingClock.Instant
    ) throws(DecoderFailure) {
        let sent = bytes.withUnsafeBytes {
            shelf_worker_send(socket, $0.baseAddress, $0.count, milliseconds(until: deadline))
        }
        try check(sent)
    }

    private static func receive(
        _ count: Int, _ socket: Int32, until deadline: SuspendingClock.Instant
    ) throws(DecoderFailure) -> [UInt8] {
        var result = SHELF_TRANSFER_DONE
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            result = shelf_worker_receive(socket, buffer.baseAddress, count, milliseconds(until: deadline))
            filled = result == SHELF_TRANSFER_DONE ? count : 0
        }
        try check(result)
        return bytes
    }

    private static func milliseconds(until deadline: SuspendingClock.Instant) -> Int64 {
        Int64(saturating: max(0, (deadline - .now) / .milliseconds(1)))
    }

    private static func check(_ result: shelf_transfer) throws(DecoderFailure) {
        switch result {
        case SHELF_TRANSFER_DONE: return
        case SHELF_TRANSFER_LATE: throw .tookTooLong
        default: throw .ended
        }
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
