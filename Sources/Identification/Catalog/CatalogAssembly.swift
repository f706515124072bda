import Bibliography

/// The lines of one spine.
struct AssembledSpine: Sendable {
    var lines: [Int]
    /// The records that led the assembly, best first; empty for lines grouped by geometry.
    var records: [BookRecord]
    /// Smaller text of a spine that a record explains: imprints, subtitles, translators.
    ///
    /// The record need not have it, so it is not evidence against it.
    var rest: [Int] = []

    /// In heights of the highest line: other lines at least that high are text of the title, or say that the record is
    /// another work's.
    private static let heightOfTitle = 0.7

    /// Adds lines that are on the spine by their place.
    mutating func add(_ new: [Int], of all: [UprightLine]) {
        let height = lines.map { all[$0].height }.max() ?? 0
        let large = new.filter {
            records.isEmpty || all[$0].height >= Self.heightOfTitle * height || namesAuthor(all[$0])
        }
        lines += large
        rest += new.filter { !large.contains($0) }
    }

    /// Whether a line is the name of an author of the record, or a part of it, which confirms the record: `with Ada Lund`.
    private func namesAuthor(_ line: UprightLine) -> Bool {
        guard let record = records.first else { return false }
        let names = record.authors.flatMap(TextNormalisation.words)
        let words = line.words.filter { $0.count > 1 && !CommonWords.contains($0) }
        return words.contains { $0.count >= 4 } && words.allSatisfy(names.contains)
    }
}

/// Groups lines so that the catalog explains the shelf best, which is more accurate than any grouping by geometry
/// alone.
///
/// Each line is a seed. For every record that its words and its neighbours' words suggest, neighbouring lines are
/// added while the evidence grows. The strongest proposal is accepted and its lines are used up; proposals that share
/// a line with it are recomputed from the remaining lines.
struct CatalogAssembly {
    /// Records considered per query.
    private static let candidateCount = 16
    /// Lines with a lower affinity are never on the same spine.
    private static let minimumAffinity = 0.35
    /// The same for lines that the record explains almost entirely, because columns of a thick spine are far apart.
    private static let minimumAffinityOfExplained = 0.25
    private static let wellExplained = 0.8
    /// Records besides the best that are compared in detail later.
    private static let rivalCount = 3
    /// Proposals with less evidence explain too little to claim lines.
    private static let minimumEvidence = 3.0
    /// Of a question to the catalog, about.
    private static let stepsOfQuestion = 20_000

    private let lines: [UprightLine]
    private let affinity: LineAffinity
    private let matcher: SpineMatcher
    private let lineWords: [LineWords]
    private let effort: IdentificationEffort
    private var records: [RecordWords] = []
    private var indexOfRecord: [String: Int] = [:]
    private var matches: [Int: WordAlignment] = [:]

    init(
        lines: [UprightLine], affinity: LineAffinity, matcher: SpineMatcher, effort: IdentificationEffort
    ) throws {
        self.lines = lines
        self.effort = effort
        self.affinity = affinity
        self.matcher = matcher
        try matcher.weights.prepare(lines.lazy.flatMap(\.words))
        lineWords = try lines.map { try LineWords($0, weights: matcher.weights) }
    }

    private struct Proposal {
        let record: Int
        let seed: Int
        let lines: [Int]
        /// The evidence that decides between proposals.
        let strength: Double
    }

    mutating func spines() throws -> [AssembledSpine] {
        let candidates = try candidatesOfSeeds()
        var free = [Bool](repeating: true, count: lines.count)
        var proposals: [Proposal] = []
        for (seed, records) in candidates.enumerated() {
            for record in records {
                if let proposal = try grown(record: record, seed: seed, free: free) { proposals.append(proposal) }
            }
        }
        var spines: [AssembledSpine] = []
        while let best = proposals.indices.max(by: { proposals[$0].strength < proposals[$1].strength }) {
            let chosen = proposals[best]
            try Task.checkCancellation()
            try effort.spend(2 * proposals.count)
            spines.append(
                try explained(chosen, among: chosen.lines.flatMap { candidates[$0] }))
            for line in chosen.lines { free[line] = false }
            proposals = try proposals.compactMap { proposal in
                if !free[proposal.seed] { return nil }
                if proposal.lines.allSatisfy({ free[$0] }) { return proposal }
                return try grown(record: proposal.record, seed: proposal.seed, free: free)
            }
        }
        return spines
    }

    private static func key(of record: BookRecord) -> String { record.source + "\u{1}" + record.id }

    /// Returns, for each line, the records that it may belong to, alone or with its neighbours.
    private mutating func candidatesOfSeeds() throws -> [[Int]] {
        // The lines of one spine are neighbours of each other and ask the same.
        var seeds: [[Int]: [Int]] = [:]
        for seed in lines.indices where lineWords[seed].folded.contains(where: { $0.count >= 3 }) {
            try effort.spend(2 * lines.count)
            let near = affinity.neighbours(of: seed, atLeast: 0.55).prefix(5)
            for members in near.isEmpty ? [[seed]] : [[seed], ([seed] + near).sorted()] {
                seeds[members, default: []].append(seed)
            }
        }
        let questions = seeds.keys.sorted { $0.lexicographicallyPrecedes($1) }
        try effort.spend(Self.stepsOfQuestion * questions.count)
        let answers = try matcher.records(
            forEach: questions.map { $0.flatMap { lines[$0].words } }, limit: Self.candidateCount)
        try add(answers.flatMap(\.self))
        var found = [[Int]](repeating: [], count: lines.count)
        for (question, answer) in zip(questions, answers) {
            let records = answer.compactMap { indexOfRecord[Self.key(of: $0)] }
            for seed in seeds[question] ?? [] {
                for record in records where !found[seed].contains(record) { found[seed].append(record) }
            }
        }
        return found
    }

    /// Parses the words of records, each once.
    private mutating func add(_ found: [BookRecord]) throws {
        var new: [BookRecord] = []
        for record in found where indexOfRecord[Self.key(of: record)] == nil {
            indexOfRecord[Self.key(of: record)] = records.count + new.count
            new.append(record)
        }
        records += try matcher.words(of: new)
    }

    private mutating func match(line: Int, record: Int) throws -> WordAlignment {
        let key = record * lines.count + line
        if let known = matches[key] { return known }
        try effort.spend(20 * lineWords[line].folded.count * records[record].folded.count)
        let match = WordAlignment(lineWords[line].folded, records[record].folded)
        matches[key] = match
        return match
    }

    private mutating func score(record: Int, lines members: [Int]) throws -> RecordScore {
        try effort.spend(10 * members.count)
        let matches = try members.map { try match(line: $0, record: record) }
        return RecordScore(records[record], lines: members.map { lineWords[$0] }, matches: matches)
    }

    /// Adds neighbours to the group one by one, the most helpful first, while the evidence grows.
    ///
    /// - Parameter free: for each line whether no spine has it.
    private mutating func grown(record: Int, seed: Int, free: [Bool]) throws -> Proposal? {
        var group = [seed]
        var best = try score(record: record, lines: group)
        // A line that the record does not explain cannot start a spine.
        guard best.explained > 0.3 else { return nil }
        while true {
            var next: (line: Int, score: RecordScore)?
            try effort.spend(lines.count * group.count)
            for line in lines.indices where free[line] && !group.contains(line) {
                guard try belongs(line, to: group, record: record) else { continue }
                let candidate = try score(record: record, lines: group + [line])
                if candidate.evidence > (next?.score ?? best).evidence + 0.01 { next = (line, candidate) }
            }
            guard let next else { break }
            group.append(next.line)
            best = next.score
        }
        guard best.evidence >= Self.minimumEvidence, best.titleCoverage >= 0.4 else { return nil }
        // Unexplained text on the same spine is evidence against the record.
        try effort.spend(lines.count * group.count)
        let leftOut = lines.indices.filter { line in
            free[line] && !group.contains(line) && group.contains { affinity[$0, line] >= 0.95 }
        }
        let unexplained = leftOut.reduce(0.0) { $0 + lineWords[$1].weights.reduce(0, +) }
        return Proposal(
            record: record, seed: seed, lines: group,
            strength: best.evidence - 0.25 * min(12, unexplained))
    }

    private mutating func belongs(_ line: Int, to group: [Int], record: Int) throws -> Bool {
        let nearest = group.reduce(0) { max($0, affinity[$1, line]) }
        if nearest >= Self.minimumAffinity { return true }
        guard nearest >= Self.minimumAffinityOfExplained else { return false }
        return try score(record: record, lines: [line]).explained >= Self.wellExplained
    }

    /// Returns the chosen record, followed by the best others for the same lines.
    private mutating func explained(_ proposal: Proposal, among indices: [Int]) throws -> AssembledSpine {
        let others = try Set(indices).filter { $0 != proposal.record }
            .map { (index: $0, evidence: try score(record: $0, lines: proposal.lines).evidence) }
            .sorted { ($0.evidence, $1.index) > ($1.evidence, $0.index) }
        return AssembledSpine(
            lines: proposal.lines,
            records: ([proposal.record] + others.prefix(Self.rivalCount).map(\.index)).map { records[$0].record })
    }
}
