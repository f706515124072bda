package import Reading

/// The photos about which sources are asked or are to be asked, of all jobs.
///
/// Decides about which photo sources are asked next.
package struct QuestionQueue {
    package struct Question: Sendable {
        package var key: PhotoKey
        /// With its text.
        package var photo: ScannedPhoto
        /// Of the photo's job.
        package var client: String

        package init(key: PhotoKey, photo: ScannedPhoto, client: String) {
            (self.key, self.photo, self.client) = (key, photo, client)
        }
    }

    private let maxConcurrent: Int
    private let maxWaiting: Int
    private var waiting: [Question] = []
    private var active: Set<PhotoKey> = []

    /// - Parameters:
    ///   - maxConcurrent: about how many photos sources are asked at once.
    ///   - maxWaiting: the number of photos whose text is kept until sources are asked about them.
    package init(maxConcurrent: Int, maxWaiting: Int) {
        (self.maxConcurrent, self.maxWaiting) = (maxConcurrent, maxWaiting)
    }

    /// Whether the text of another photo may be kept.
    package var hasRoom: Bool { waiting.count < maxWaiting }

    /// Whether a photo waits or is being asked about.
    package func contains(_ key: PhotoKey) -> Bool { active.contains(key) || waiting.contains { $0.key == key } }

    package mutating func append(_ question: Question) { waiting.append(question) }

    /// Starts the next question where another may be asked; one about a photo that is still active waits until that has
    /// ended.
    ///
    /// - Parameter jobs: whose questions wait.
    package mutating func startNext(except jobs: Set<String> = []) -> Question? {
        guard active.count < maxConcurrent,
            let next = waiting.firstIndex(where: { !jobs.contains($0.key.job) && !active.contains($0.key) })
        else { return nil }
        active.insert(waiting[next].key)
        return waiting.remove(at: next)
    }

    package mutating func end(_ key: PhotoKey) { active.remove(key) }

    /// Removes the waiting questions of a job.
    package mutating func removeWaiting(of job: String) { waiting.removeAll { $0.key.job == job } }
}
