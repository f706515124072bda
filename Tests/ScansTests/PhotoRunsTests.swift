import Scans
import Testing

@Suite struct PhotoRunsTests {
    private func photo(_ number: Int, of job: String = "a") -> PhotoKey { PhotoKey(job: job, photo: number) }

    @Test("Another photo is read once one has been read, while its result is stored")
    func bound() {
        var runs = PhotoRuns(maxConcurrent: 2)
        for number in 1...4 { runs.queue.append(photo(number), client: "c") }
        #expect((1...3).map { _ in runs.startNext()?.photo } == [1, 2, nil])
        runs.endReading(photo(1))
        #expect(runs.startNext() == photo(3))
        #expect(runs.reading == [photo(2), photo(3)] && runs.active == [photo(1), photo(2), photo(3)])
        for number in 1...3 { runs.end(photo(number)) }
        #expect(runs.startNext() == photo(4) && !runs.isIdle)
        runs.end(photo(4))
        #expect(runs.isIdle && runs.startNext() == nil)
    }

    @Test("A photo that is queued again while it is active waits until it has ended")
    func active() {
        var runs = PhotoRuns(maxConcurrent: 2)
        runs.queue.append(photo(1), client: "c")
        #expect(runs.startNext() == photo(1))
        runs.queue.append(photo(1), client: "c")
        runs.queue.append(photo(2), client: "c")
        #expect(runs.startNext() == photo(2))
        runs.endReading(photo(1))
        #expect(runs.startNext() == nil)
        runs.end(photo(1))
        #expect(runs.startNext() == photo(1))
    }

    @Test("The devices of a client share its turn")
    func devices() {
        var runs = PhotoRuns(maxConcurrent: 10)
        for number in 1...3 { runs.queue.append(photo(number), client: "member:1 device:\(number)") }
        runs.queue.append(photo(1, of: "b"), client: "member:2")
        #expect((1...3).map { _ in runs.startNext() } == [photo(1), photo(1, of: "b"), photo(2)])
    }

    @Test("Clients take turns, and photos of a cancelled job leave the queue")
    func turns() {
        var runs = PhotoRuns(maxConcurrent: 10)
        for number in 1...2 { runs.queue.append(photo(number), client: "c") }
        runs.queue.append(photo(1, of: "b"), client: "d")
        runs.queue.append(photo(1, of: "x"), client: "d")
        runs.dequeue(job: "x")
        #expect((1...4).map { _ in runs.startNext() } == [photo(1), photo(1, of: "b"), photo(2), nil])
        #expect(runs.isActive(job: "b") && !runs.isActive(job: "x"))
    }

    @Test("A photo that was tried often comes last")
    func attempts() {
        var runs = PhotoRuns(maxConcurrent: 10)
        for number in 1...3 { runs.queue.append(photo(number), client: "c") }
        runs.queue.order(by: [photo(1): 2, photo(2): 1])
        #expect((1...3).map { _ in runs.startNext()?.photo } == [3, 2, 1])
    }

    @Test("No photo is started while photos are held")
    func held() {
        var runs = PhotoRuns(maxConcurrent: 1)
        runs.isHeld = true
        runs.queue.append(photo(1), client: "c")
        #expect(runs.startNext() == nil && !runs.isIdle)
        runs.isHeld = false
        #expect(runs.startNext() == photo(1))
    }

    @Test("One preview runs at once, and only while no photo waits or is active")
    func previews() {
        var runs = PhotoRuns(maxConcurrent: 1)
        #expect((1...2).map { _ in runs.startPreview() } == [true, false])
        runs.endPreview()
        runs.queue.append(photo(1), client: "c")
        #expect(runs.startPreview() == false)
        #expect(runs.startNext() == photo(1))
        #expect(runs.startPreview() == false)
        runs.end(photo(1))
        #expect(runs.startPreview() == true)
    }
}
