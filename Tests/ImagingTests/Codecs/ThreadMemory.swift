import Foundation

enum ThreadMemory {
    /// How many pages of memory this thread was the first to use.
    static var pagesUsed: Int {
        var usage = rusage()
        getrusage(1, &usage)  // RUSAGE_THREAD, which Swift does not import
        return usage.ru_minflt
    }
}
