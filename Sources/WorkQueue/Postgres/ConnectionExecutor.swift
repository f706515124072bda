import Dispatch

/// A thread for one connection: a serial queue of Dispatch.
final class ConnectionExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "shelflist.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
