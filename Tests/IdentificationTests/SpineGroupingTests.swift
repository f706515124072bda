import Identification
import Imaging
import SpineReading
import TestSupport
import Testing

@Suite("Grouping lines by their positions")
struct SpineGroupingTests {
    /// Average linkage as it is defined: all means are computed before each step.
    private static func defined(_ members: [Int], _ affinity: LineAffinity) -> [[Int]] {
        var groups = members.map { [$0] }
        while true {
            var best: (value: Double, i: Int, j: Int)?
            for i in groups.indices {
                for j in groups.indices where j < i {
                    let mean = affinity.mean(groups[i], groups[j])
                    if mean >= 0.45, mean > best?.value ?? 0 { best = (mean, i, j) }
                }
            }
            guard let best else { return groups }
            groups[best.j] += groups[best.i]
            groups.remove(at: best.i)
        }
    }

    /// Numbers that differ for each seed and are the same in each run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    @Test("Groups are those of average linkage as it is defined", arguments: 1...12)
    func asDefined(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        let lines = (0..<60).map { _ in
            let length = Double.random(in: 20...400, using: &numbers)
            // Half of them in columns, so that many means are equal.
            let x =
                seed.isMultiple(of: 2)
                ? Double(Int.random(in: 0...8, using: &numbers) * 40) : .random(in: 0...600, using: &numbers)
            return down("WORD", x: x, from: .random(in: 0...900, using: &numbers), length: length)
        }
        let affinity = try LineAffinity(placed(lines))
        let members = Array(lines.indices)
        #expect(try SpineGrouping.groups(of: members, affinity: affinity) == Self.defined(members, affinity))
        let odd = members.filter { $0 % 2 == 1 }
        #expect(try SpineGrouping.groups(of: odd, affinity: affinity) == Self.defined(odd, affinity))
    }

    @Test("Thousands of lines in one place are grouped", .endsHangs)
    func many() throws {
        let lines = (0..<1500).map { down("WORD", x: Double($0 % 3), from: Double($0 % 7), length: 50) }
        let affinity = try LineAffinity(placed(lines))
        let groups = try SpineGrouping.groups(of: Array(lines.indices), affinity: affinity)
        #expect(groups.flatMap(\.self).sorted() == Array(lines.indices))
        #expect(groups.allSatisfy { $0.count <= 200 })
    }

    @Test("No lines have no groups")
    func none() throws { #expect(try SpineGrouping.groups(of: [], affinity: LineAffinity([])).isEmpty) }

    @Test("Lines join a known spine, and known spines do not join each other")
    func besideSpines() throws {
        let lines = [
            down("WUTHERING HEIGHTS", x: 300, from: 100, length: 400),
            down("JANE EYRE", x: 300, from: 520, length: 200),
            down("EMILY BRONTË", x: 300, from: 740, length: 200), down("EMMA", x: 900, from: 100, length: 200),
        ]
        let affinity = try LineAffinity(placed(lines))
        let groups = try SpineGrouping.groups(of: [2, 3], beside: [[0], [1]], affinity: affinity)
        #expect(groups.map(\.first) == [0, 1, 3])
        #expect(groups.flatMap(\.self).sorted() == [0, 1, 2, 3])
        #expect(groups[1].contains(2), "the nearer spine")
    }
}
