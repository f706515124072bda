internal import Foundation
internal import Synchronization

/// The processes in which a server decodes photos, so that a fault in a decoder harms neither server nor library.
///
/// Each decodes one photo at a time. A process that ends or takes too long is replaced.
package final class DecoderProcesses: Sendable {
    package struct Settings: Sendable {
        /// Runs `DecodingWorker`.
        package var program: String
        package var arguments: [String]
        /// How many processes run at once; further photos wait.
        package var most: Int
        /// How long a photo may take.
        ///
        /// 100 megapixels of HEIC take about 6 s on two cores.
        package var longest: Duration
        /// How long a process may take to start.
        package var start: Duration
        /// After so many photos a process is replaced, which bounds what a hostile photo can learn of others.
        package var photosPerProcess: Int

        /// - Parameter memory: the address space for one photo, in bytes; decoding takes less than 600 MB.
        package init(
            memory: Int = 1 << 30, most: Int = ProcessInfo.processInfo.activeProcessorCount,
            longest: Duration = .seconds(60), photosPerProcess: Int = 100
        ) {
            program = Self.ownProgram
            arguments = ["decode-photos", "--memory", "\(memory)"]
            self.most = max(1, most)
            self.longest = longest
            start = .seconds(30)
            self.photosPerProcess = photosPerProcess
        }

        /// On Linux the file that runs, even after an update has replaced it.
        private static var ownProgram: String {
            #if os(Linux)
                "/proc/self/exe"
            #else
                Bundle.main.executablePath ?? CommandLine.arguments[0]
            #endif
        }
    }

    package enum Event: Sendable {
        /// The system offers no sandbox: reported once.
        case unconfined
        /// A process gave no answer.
        case failed(reason: String)
    }

    private struct State {
        var idle: [DecoderProcess] = []
        /// The processes that start or decode.
        ///
        /// Each is removed before it is waited for, so that its number does not belong to another process yet.
        var busy: Set<pid_t> = []
        var isClosed = false
        var hasWarned = false
    }

    /// Processes that wait for photos; starting one takes tenths of a second.
    private static let mostIdle = 2

    /// Where `PhotoDecoder` decodes; `nil` for the process that asks.
    ///
    /// Set by `serve`.
    package static var shared: DecoderProcesses? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = Mutex<DecoderProcesses?>(nil)

    private let settings: Settings
    private let report: @Sendable (Event) -> Void
    private let places: DispatchSemaphore
    private let state = Mutex(State())

    package init(_ settings: Settings = Settings(), report: @escaping @Sendable (Event) -> Void = { _ in }) {
        self.settings = settings
        self.report = report
        places = DispatchSemaphore(value: settings.most)
    }

    /// Starts the first process, so that an installation on which none can run is noticed at once.
    ///
    /// - Throws: `ImageError`.
    package func prepare() throws(ImageError) {
        do throws(DecoderFailure) {
            keep(try start())
        } catch {
            throw error.error(longest: settings.longest)
        }
    }

    /// Ends all processes; photos that are being decoded, and later ones, fail at once.
    package func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            for process in state.busy { kill(process, SIGKILL) }
            defer { state.idle = [] }
            return state.idle
        }
        for process in idle { process.end() }
    }

    /// Decodes a photo; if the process ends, once more in a new one.
    ///
    /// Blocks its thread.
    package func decode(
        _ bytes: [UInt8], limits: PhotoLimits, workingPixels: Int
    ) throws(ImageError) -> DecodedPhoto {
        places.wait()
        defer { places.signal() }
        let answer: Result<DecodedPhoto, ImageError>
        do throws(DecoderFailure) {
            answer = try self.answer(to: bytes, limits, workingPixels, isFirst: true)
        } catch {
            switch error {
            // A photo that takes too long would take too long again.
            case .tookTooLong, .closed: throw error.error(longest: settings.longest)
            case .notStarted, .ended, .invalidAnswer: break
            }
            do throws(DecoderFailure) {
                answer = try self.answer(to: bytes, limits, workingPixels, isFirst: false)
            } catch {
                throw error.error(longest: settings.longest)
            }
        }
        return try answer.get()
    }

    private func answer(
        to bytes: [UInt8], _ limits: PhotoLimits, _ workingPixels: Int, isFirst: Bool
    ) throws(DecoderFailure) -> Result<DecodedPhoto, ImageError> {
        do throws(DecoderFailure) {
            // The system may have ended all idle processes, so that the second attempt needs a new one.
            let idle = isFirst ? takeIdle() : nil
            var process = if let idle { idle } else { try start() }
            do throws(DecoderFailure) {
                let answer = try process.decode(
                    bytes, limits: limits, workingPixels: workingPixels, until: .now + settings.longest)
                keep(process)
                return answer
            } catch {
                end(process)
                throw error
            }
        } catch {
            if state.withLock(\.isClosed) { throw .closed }
            report(.failed(reason: error.reason))
            throw error
        }
    }

    private func takeIdle() -> DecoderProcess? {
        state.withLock { state in
            guard let process = state.idle.popLast() else { return nil }
            state.busy.insert(process.id)
            return process
        }
    }

    /// Ends a busy process.
    private func end(_ process: DecoderProcess) {
        _ = state.withLock { $0.busy.remove(process.id) }
        process.end()
    }

    /// Returns a new process, which is busy.
    private func start() throws(DecoderFailure) -> DecoderProcess {
        var process = try DecoderProcess(settings)
        let isOpen = state.withLock { state in
            if !state.isClosed { state.busy.insert(process.id) }
            return !state.isClosed
        }
        guard isOpen else {
            process.end()
            throw .closed
        }
        do throws(DecoderFailure) { try process.greet(until: .now + settings.start) } catch {
            end(process)
            throw error
        }
        let isNew = state.withLock { state in
            defer { state.hasWarned = state.hasWarned || !process.isConfined }
            return !process.isConfined && !state.hasWarned
        }
        if isNew { report(.unconfined) }
        return process
    }

    private func keep(_ process: DecoderProcess) {
        let isKept = state.withLock { state in
            state.busy.remove(process.id)
            guard !state.isClosed, state.idle.count < Self.mostIdle, process.photos < settings.photosPerProcess else {
                return false
            }
            state.idle.append(process)
            return true
        }
        if !isKept { process.end() }
    }
}
