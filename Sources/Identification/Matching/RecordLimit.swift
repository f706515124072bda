import Bibliography
import ShelflistAPI
import SpineReading

/// The highest probability of the best record of a spine, by what the spine shows of it and besides it.
///
/// A record that shares most of its words with the spine may still be of another work, or name a part of the book only.
/// The fitted model has seen few of these, so what it says is limited.
struct RecordLimit {
    /// For records of which no title was read, and where the spine names another work, which is then rather named as read.
    static let untitled = 0.45
    /// Below the default review threshold (0.60), too: for volumes that hold other works besides, and for spines that show
    /// only a part of a record of the starter list, which has few of the books that exist.
    static let part = 0.59
    /// Of an author whose name was read in full.
    private static let wholeName = 0.75
    /// The least share of a title's letters beside such an author.
    ///
    /// On the labelled photos, such a record was right in eight of nine cases.
    private static let leastShare = 0.45
    /// Of the letters of a title of which the other words were misread.
    private static let mostShare = 0.75
    /// Words at least this similar are the same, misread letters aside.
    private static let sameWord = 0.75

    /// Best first.
    private let candidates: [SpineMatcher.Candidate]
    private let text: [ReadText]
    /// The folded words of each line.
    private let lines: [[String]]
    /// The folded words of the smaller text beside it, in reading order.
    private let rest: [String]
    /// Whether the catalog or the list of well-known works has a word, so that it was hardly misread.
    private let isKnown: (String) throws -> Bool

    init(
        _ candidates: [SpineMatcher.Candidate], text: [ReadText], rest: [String] = [],
        isKnown: @escaping (String) throws -> Bool
    ) {
        let isTransliterated = candidates.first?.isTransliterated ?? false
        let text = isTransliterated ? text.map(\.transliterated) : text
        (self.candidates, self.text, self.isKnown) = (candidates, text, isKnown)
        self.rest = isTransliterated ? rest.map(Transliteration.latin) : rest
        lines = text.map { TextNormalisation.words($0.text) }
    }

    /// Returns the limit, 0...1; 0 where nothing distinguishes the record from the others by its author.
    ///
    /// - Throws: errors of the catalog.
    func highest() throws -> Double {
        guard let best = candidates.first else { return 1 }
        let isStarter = best.record.source == BookRecord.starterSource
        if isUntitled {
            if isPartlyRead(best) { return Self.part }
            return isOneOfSeveral(best) ? 0 : Self.untitled
        }
        let isPart =
            isStarter && (best.features[.titleCoverage] < 0.9 || best.features[.surname] < SpineMatcher.readSurname)
        if isPart, !isShown(best), !isPartlyRead(best) { return 0 }
        let isCollected = CollectedWorks.areNamed(by: text, besides: candidates)
        if isStarter, isCollected { return 0 }
        if lines.allSatisfy(Publishers.isPublisher) || Publishers.isPublisher(Array(lines.joined())) {
            return Self.untitled
        }
        if try isOther(best) { return Self.untitled }
        return isPart || isCollected || isMisread(best) || isLonger(best) ? Self.part : 1
    }

    /// Whether hardly anything of the record but its author was read, or a title that is on many spines.
    var isUntitled: Bool { candidates.first.map(isUntitled) ?? false }

    private func authorIsRead(_ candidate: SpineMatcher.Candidate) -> Bool {
        candidate.features[.surname] >= SpineMatcher.readSurname
    }

    /// Whether the spine names another work.
    private func isOther(_ best: SpineMatcher.Candidate) throws -> Bool {
        let authorIsRead = authorIsRead(best)
        if !authorIsRead, !best.record.authors.isEmpty,
            best.features[.otherPerson] > 0 || isWithoutSeries(best.record) || namesOtherPerson(than: best.record)
        {
            return true
        }
        if OtherWork.isNamed(by: lines, insteadOf: best.record, authorIsRead: authorIsRead),
            try !isOnlyMisread(best)
        {
            return true
        }
        return try EastAsianText.isScattered(best.record.title, among: text.map(\.text))
            || CollectedWorks.isOneNamed(by: lines, of: best.record)
            || OtherWork.isOfAnotherYear(lines, than: best.record)
            || OtherWork.isMostlyNamed(by: text, insteadOf: best.record, isKnown: isKnown)
            || OtherWork.isContinued(by: text, insteadOf: best.record, isKnown: isKnown)
    }

    /// Whether nearly all of the title was read, and no word besides that the catalog has: `Orue upon a time` is `Once Upon a
    /// Time`.
    private func isOnlyMisread(_ best: SpineMatcher.Candidate) throws -> Bool {
        guard ShownTitle(best.record, on: text).share >= Self.mostShare else { return false }
        return try !OtherWork.isNamed(
            by: lines.map { try $0.filter(isKnown) }, insteadOf: best.record, authorIsRead: authorIsRead(best))
    }

    /// Whether the smaller text beside the spine's has the name of a person who is not an author of the record.
    private func namesOtherPerson(than record: BookRecord) -> Bool {
        let own = RecordWords.text(of: record)
        let words = rest.filter { $0.count > 1 }
        func isOther(_ word: String) -> Bool {
            !own.contains { Spelling.similarity($0, word, minimum: Self.sameWord) >= Self.sameWord }
        }
        return words.indices.dropLast().contains { place in
            let (given, family) = (words[place], words[place + 1])
            // `The biography of` a person is by another one.
            let isSubject = place > 0 && Self.wordsBeforeSubject.contains(words[place - 1])
            return !isSubject && GivenNames.contains(given) && family.count >= 3 && family.allSatisfy(\.isLetter)
                && isOther(given) && isOther(family)
        }
    }

    private static let wordsBeforeSubject: Set<String> = ["about", "of", "sobre", "sur", "uber"]

    /// Whether a title of which no author was read has a word more between those that were read: `Favourite Love Poems` is not
    /// `FAVOURITE POEMS`.
    private func isLonger(_ best: SpineMatcher.Candidate) -> Bool {
        guard !best.record.authors.isEmpty, !authorIsRead(best) else { return false }
        let read = lines.flatMap(\.self)
        let text = read.joined()
        let isRead = TextNormalisation.words(RecordWords.split(best.record.title).main)
            .filter { $0.count > 1 && !CommonWords.contains($0) }
            .map { word in
                // Fewer letters are misread as often as they are missing.
                word.count < 4 || text.contains(word)
                    || read.contains { Spelling.similarity(word, $0, minimum: Self.sameWord) >= Self.sameWord }
            }
        guard let first = isRead.firstIndex(of: true), let last = isRead.lastIndex(of: true) else { return false }
        return isRead[first...last].contains(false)
    }

    /// Whether of a title of one word, without its author, only a word was read that is rather another one: `трилогия` for
    /// `биология`.
    private func isMisread(_ best: SpineMatcher.Candidate) -> Bool {
        let title = TextNormalisation.words(RecordWords.split(best.record.title).main)
            .filter { !CommonWords.contains($0) }
        guard title.count == 1, !authorIsRead(best) else { return false }
        let read = lines.joined() + lines.map { $0.joined() }
        return !read.contains { Spelling.similarity(title[0], $0, minimum: Self.sameWord) >= Self.sameWord }
    }

    /// Whether a record of a numbered series shows nothing of its name, which is on the spines of most series.
    private func isWithoutSeries(_ record: BookRecord) -> Bool {
        guard let series = record.series ?? RecordWords.split(record.title).rest, series.contains(where: \.isNumber)
        else { return false }
        let words = TextNormalisation.words(series).filter { $0.count >= 3 && !CommonWords.contains($0) }
        let read = lines.joined()
        return !words.isEmpty
            && !read.contains { word in words.contains { Spelling.similarity($0, word, minimum: 0.7) >= 0.7 } }
    }

    /// Whether another candidate explains the author's name as well.
    private func isOneOfSeveral(_ best: SpineMatcher.Candidate) -> Bool {
        candidates.dropFirst().contains { other in
            authorIsRead(other) && other.features[.authorCoverage] >= best.features[.authorCoverage] - 0.05
        }
    }

    // MARK: Title

    /// Whether the author's name was read in full, and beside it most of a title and no other words: `HARBOUR` of `North of
    /// the Harbour`.
    private func isPartlyRead(_ candidate: SpineMatcher.Candidate) -> Bool {
        guard candidate.features[.authorCoverage] >= Self.wholeName, candidate.features[.titleCoverage] < 0.9 else {
            return false
        }
        let shown = ShownTitle(candidate.record, on: text)
        return shown.share >= Self.leastShare && !shown.isBesideOthers
    }

    private func isUntitled(_ candidate: SpineMatcher.Candidate) -> Bool {
        if isSubtitleRead(candidate.record) || isSubtitleRead(candidate) { return false }
        let title = TextNormalisation.words(candidate.record.title)
        // "Edition" and "Classics" stand beside any title.
        if title.allSatisfy(Publishers.isDecoration) { return true }
        if showsOnlyAuthor(candidate.record, title) { return true }
        // The two letters of a short title occur in any text.
        let isShort = title.joined().count < 4
        return candidate.features[.titleCoverage] < 0.3 && (isShort || candidate.features[.titlePartial] < 0.75)
    }

    /// Whether the spine shows enough of a starter record: its author, or several words of its title.
    ///
    /// One or two words of a title are an imprint, a series or another book as often.
    private func isShown(_ candidate: SpineMatcher.Candidate) -> Bool {
        if isSubtitleRead(candidate.record) { return authorIsRead(candidate) }
        let coverage = candidate.features[.titleCoverage]
        let words = TextNormalisation.words(candidate.record.title).count { !CommonWords.contains($0) }
        if authorIsRead(candidate) {
            return max(coverage, candidate.features[.titlePartial]) >= 0.7 || coverage * Double(words) >= 2
        }
        // Each Han character is a word.
        return coverage >= 0.75 && words >= 3 && !EastAsianText.isMost(of: candidate.record.title)
    }

    /// Whether nearly all of a subtitle was read, which is on the spine instead of the title, or larger.
    private func isSubtitleRead(_ record: BookRecord) -> Bool {
        let subtitle = TextNormalisation.words(record.subtitle ?? "").filter { !CommonWords.contains($0) }
        let read = subtitle.count { word in lines.contains { $0.contains(word) } }
        return subtitle.count >= 4 && Double(read) >= 0.75 * Double(subtitle.count)
    }

    /// Whether a subtitle of two words or more was read, and besides it the title, which is an imprint's word (`Moscow: …`), or
    /// the name of the author, where the title is a number that was missed.
    private func isSubtitleRead(_ candidate: SpineMatcher.Candidate) -> Bool {
        let (main, rest) = RecordWords.split(candidate.record.title)
        let subtitle = TextNormalisation.words(candidate.record.subtitle ?? rest ?? "")
            .filter { $0.count > 1 && !CommonWords.contains($0) && !Publishers.isDecoration($0) }
        let (title, read) = (TextNormalisation.words(main), Set(lines.joined()))
        return subtitle.count >= 2 && subtitle.allSatisfy(read.contains)
            && (title.allSatisfy(read.contains)
                || candidate.features[.authorCoverage] >= Self.wholeName
                    && title.allSatisfy { $0.allSatisfy(\.isNumber) })
    }

    /// Whether of a title with its author's name in it, `Franz Kafka's Diaries`, nothing but the name was read.
    ///
    /// Also of a title that has nothing but the name, `Kafka K`, unless the spine names a further author.
    private func showsOnlyAuthor(_ record: BookRecord, _ title: [String]) -> Bool {
        let author = Set(record.authors.flatMap(TextNormalisation.words))
        let telling = title.filter { $0.count > 1 && !CommonWords.contains($0) }
        let own = telling.filter { !author.contains($0) }
        let further = author.subtracting(title)
        if own.isEmpty, further.count >= 2, further.isSubset(of: lines.joined()) { return false }
        return own.count < telling.count
            && !lines.joined().contains { word in
                own.contains { Spelling.similarity($0, word, minimum: 0.7) >= 0.7 }
            }
    }
}
