import Reading
import ReadingFixtures
import Scans
import Testing

@Suite struct QuestionQueueTests {
    private let photo: ScannedPhoto

    init() async throws { photo = try await ScriptedReader().read(ScriptedReader.bytes("books:Dune"), name: "shelf") }

    private func key(_ number: Int, of job: String = "a") -> PhotoKey { PhotoKey(job: job, photo: number) }

    private func queue(maxConcurrent: Int = 10, maxWaiting: Int = 10, _ keys: [PhotoKey]) -> QuestionQueue {
        var queue = QuestionQueue(maxConcurrent: maxConcurrent, maxWaiting: maxWaiting)
        for key in keys { queue.append(.init(key: key, photo: photo, client: "c")) }
        return queue
    }

    @Test("Sources are asked about a bounded number of photos at once, in their order")
    func bound() {
        var queue = queue(maxConcurrent: 2, (1...3).map { key($0) })
        #expect((1...3).map { _ in queue.startNext()?.key } == [key(1), key(2), nil])
        queue.end(key(1))
        #expect(queue.startNext()?.key == key(3))
    }

    @Test("There is room for another text once sources are asked about one that waits")
    func room() {
        var queue = queue(maxWaiting: 2, (1...2).map { key($0) })
        #expect(!queue.hasRoom)
        #expect(queue.startNext()?.key == key(1))
        #expect(queue.hasRoom)
    }

    @Test("A photo is known while it waits and while sources are asked about it")
    func known() {
        var queue = queue([key(1)])
        #expect(queue.contains(key(1)) && !queue.contains(key(2)))
        #expect(queue.startNext()?.key == key(1))
        #expect(queue.contains(key(1)))
        queue.end(key(1))
        #expect(!queue.contains(key(1)))
    }

    @Test("Questions of a job that is being finished, and of a photo that is still active, wait")
    func waits() {
        var queue = queue([key(1), key(1), key(1, of: "b")])
        #expect(queue.startNext(except: ["a"])?.key == key(1, of: "b"))
        #expect(queue.startNext(except: ["a"]) == nil)
        #expect(queue.startNext()?.key == key(1))
        #expect(queue.startNext() == nil)
        queue.end(key(1))
        #expect(queue.startNext()?.key == key(1))
    }

    @Test("The waiting questions of a job are removed")
    func removed() {
        var queue = queue([key(1), key(1, of: "b"), key(2)])
        queue.removeWaiting(of: "a")
        #expect((1...2).map { _ in queue.startNext()?.key } == [key(1, of: "b"), nil])
    }
}
