internal import Foundation

extension DecoderProcesses {
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
        /// How long a process waits for photos at most; it is ended in the second half of this time.
        package var longestIdle = Duration.seconds(60)

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
}
