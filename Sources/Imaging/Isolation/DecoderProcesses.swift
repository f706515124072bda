internal import Foundation
internal import Synchronization

/// The processes in which a server decodes photos, so that a fault in a decoder harms neither server nor library.
///
/// Each decodes one photo at a time. A process that ends or takes too long is replaced.
package final class DecoderProcesses: Sendable {
    package enum Event: Sendable {
        /// The system does not confine the process fully: reported once.
        case unconfined([Confinement.Gap])
        /// A process gave no answer.
        case failed(reason: String)
    }

    private struct Idle {
        let process: DecoderProcess
        /// Whether it was idle at the last sweep.
        var isOld = false
    }

    private struct State {
        var idle: [Idle] = []
        /// Whether a task ends those that are idle for long.
        var isSwept = false
        /// The processes that start or decode.
        ///
        /// They leave it before they are waited for, so that each is still theirs.
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
    private let clock: any Clock<Duration>
    private let report: @Sendable (Event) -> Void
    private let places: DispatchSemaphore
    private let state = Mutex(State())

    /// - Parameter clock: measures how long processes are idle.
    package init(
        _ settings: Settings = Settings(), clock: any Clock<Duration> = SuspendingClock(),
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.settings = settings
        self.clock = clock
        self.report = report
        places = DispatchSemaphore(value: settings.most)
    }

    /// Starts the first process, so that an installation on which none can run is noticed at once.
    ///
    /// - Returns: how far the process is confined.
    /// - Throws: `ImageError`.
    @discardableResult
    package func prepare() throws(ImageError) -> Confinement {
        do throws(DecoderFailure) {
            let process = try start()
            keep(process)
            return process.confinement
        } catch {
            throw error.error(longest: settings.longest)
        }
    }

    /// Starts a process that tries what a confined one must not be able to do.
    ///
    /// - Returns: what its confinement lacks, a sentence part each; empty if it is complete.
    /// - Throws: `ImageError` if it cannot be started or writes nothing.
    package static func check(_ settings: Settings = Settings()) throws(ImageError) -> [String] {
        var settings = settings
        settings.arguments = ["decode-photos", "--check"]
        do throws(DecoderFailure) {
            let lines = try DecoderProcess.output(settings).split(separator: "\n").map(String.init)
            guard !lines.isEmpty else { throw .ended }
            return lines == [DecodingWorker.confined] ? [] : lines
        } catch {
            throw .noDecoder(error.reason)
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
        for idle in idle { idle.process.end() }
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
            guard let process = state.idle.popLast()?.process else { return nil }
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
        let gaps = process.confinement.gaps
        let isNew = state.withLock { state in
            defer { state.hasWarned = state.hasWarned || !gaps.isEmpty }
            return !gaps.isEmpty && !state.hasWarned
        }
        if isNew { report(.unconfined(gaps)) }
        return process
    }

    private func keep(_ process: DecoderProcess) {
        let (isKept, isFirst) = state.withLock { state in
            state.busy.remove(process.id)
            guard !state.isClosed, state.idle.count < Self.mostIdle, process.photos < settings.photosPerProcess else {
                return (false, false)
            }
            state.idle.append(Idle(process: process))
            defer { state.isSwept = true }
            return (true, !state.isSwept)
        }
        if !isKept { process.end() }
        if isFirst { sweep() }
    }

    /// Ends processes that are idle for long, until none is idle.
    private func sweep() {
        Task { [weak self, clock, pause = settings.longestIdle / 2] in
            repeat {
                do { try await clock.sleep(for: pause) } catch { return }
            } while self?.endOld() == true
        }
    }

    /// Ends the processes that were idle at the last call too.
    ///
    /// - Returns: whether others are idle.
    private func endOld() -> Bool {
        let (old, hasOthers) = state.withLock { state in
            let old = state.idle.filter(\.isOld)
            state.idle = state.idle.filter { !$0.isOld }.map { Idle(process: $0.process, isOld: true) }
            state.isSwept = !state.idle.isEmpty
            return (old, state.isSwept)
        }
        for idle in old { idle.process.end() }
        return hasOthers
    }
}
