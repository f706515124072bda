import Dispatch

/// Runs tasks that block their thread on threads of their own, so that the few threads which all other tasks
/// share stay free.
package final class BlockingExecutor: TaskExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
