package import Dispatch

/// Runs tasks that block their thread on threads of their own, so that the few threads which all other tasks
/// share stay free.
package final class BlockingExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter qos: chooses among Dispatch's pools of threads, each as large as there are cores. The shared tasks run
    ///   in that of the default class on Linux, which is therefore never the right one here; long work and short work
    ///   do not wait for each other in different ones.
    package init(label: String, qos: DispatchQoS = .utility) {
        queue = DispatchQueue(label: label, qos: qos, attributes: .concurrent)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
