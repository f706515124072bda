package import Bibliography
package import ShelflistAPI

/// Recognises that a spine names another work than a record that shares most of its title.
///
/// *Methods of Quantum Field Theory* is not *An Introduction to Quantum Field Theory*, although the words in which they differ
/// are so common that they hardly count; nor is *Pattern Recognition and Machine Learning* the novel *Pattern Recognition*.
package enum OtherWork {
    /// Whether the spine names another work than a record does.
    ///
    /// A word of the title is missing and the spine has another word instead of it: before the rest of the title, or anywhere
    /// if no author of the record was read either. Or the whole title is a part of a longer one, and no author was read.
    ///
    /// O(words of the spine × words of the record).
    ///
    /// - Parameters:
    ///   - lines: the folded words of each line.
    ///   - authorIsRead: whether the surname of one of the record's authors was read.
    package static func isNamed(by lines: [[String]], insteadOf record: BookRecord, authorIsRead: Bool) -> Bool {
        let read = lines.flatMap(\.self)
        let text = read.joined()
        let title = TextNormalisation.words(RecordWords.split(record.title).main)
            .filter { $0.count > 1 && !CommonWords.contains($0) }
        let missing = title.filter { word in !text.contains(word) && !read.contains { isSame($0, word) } }
        guard let first = title.first else { return false }

        let own = RecordWords.text(of: record)
        let ownText = own.joined()
        func isOfAnother(_ word: String) -> Bool {
            word.count >= 4 && word.allSatisfy(\.isLetter) && !CommonWords.contains(word)
                && !Publishers.isPublisherWord(word) && !Publishers.isDecoration(word) && !ownText.contains(word)
                && !own.contains { isSame($0, word) }
        }
        if !authorIsRead, !record.authors.isEmpty {
            return missing.isEmpty
                ? isPart(title, of: read, where: isOfAnother) : read.contains(where: isOfAnother)
        }
        // Without an author, a title of which half is missing has nothing else to confirm it.
        if record.authors.isEmpty, 2 * missing.count >= title.count, missing.count < title.count,
            lines.contains(where: { line in
                line.contains(where: isOfAnother) && line.contains { word in title.contains { isSame($0, word) } }
            })
        {
            return true
        }
        guard missing.contains(first) else { return false }
        return lines.contains { line in
            let rest = line.firstIndex { word in title.dropFirst().contains { isSame($0, word) } }
            return rest.map { line[..<$0].contains(where: isOfAnother) } ?? false
        }
    }

    /// Whether a title has a year, and the spine another one instead: `Science Writing 2011` is not *Science Writing 2000*.
    ///
    /// - Parameter lines: the folded words of each line.
    package static func isOfAnotherYear(_ lines: [[String]], than record: BookRecord) -> Bool {
        let own = Set(TextNormalisation.words(record.title).filter(isYear))
        let read = Set(lines.joined().filter(isYear))
        return !own.isEmpty && !read.isEmpty && own.isDisjoint(with: read)
    }

    private static func isYear(_ word: String) -> Bool { Int(word).map(years.contains) ?? false }

    /// Years of which annuals and editions are named.
    private static let years = 1800...2100

    /// Whether most words of a record's title are missing, and the spine has others that were read well: `MUSIC AND OTHER
    /// ADVENTURES` is not *Ballads and Other Poems*.
    ///
    /// - Parameters:
    ///   - lines: of the spine.
    ///   - isKnown: whether a word is one of a title or a name, so that it was hardly misread.
    package static func isMostlyNamed(
        by lines: [ReadText], insteadOf record: BookRecord, isKnown: (String) throws -> Bool
    ) rethrows -> Bool {
        let read = lines.flatMap { TextNormalisation.words($0.text) }
        let text = read.joined()
        let title = TextNormalisation.words(RecordWords.split(record.title).main)
            .filter { $0.count > 1 && !CommonWords.contains($0) }
        let missing = title.filter { word in !text.contains(word) && !read.contains { isSame($0, word) } }
        guard 2 * missing.count > title.count else { return false }
        let own = RecordWords.text(of: record)
        let clear = lines.filter { $0.score >= leastScore }.flatMap { TextNormalisation.words($0.text) }
        return try clear.contains { word in
            try word.count >= 4 && word.allSatisfy(\.isLetter) && !CommonWords.contains(word)
                && !Publishers.isPublisherWord(word) && !Publishers.isDecoration(word) && !Numbering.isEdition(word)
                && !own.contains { isSame($0, word) || $0.contains(word) || word.contains($0) }
                && NameWords.odds(of: [word])[0] < 0
                && isKnown(word)
        }
    }

    /// Whether a line has the title of a record and another word right after it, or instead of its last one: `THE GOING LEAN
    /// FIELDBOOK` is not *Going Lean*, `MAGICIAN KING` is not *The Magician's Land*.
    ///
    /// Marks and another case begin a subtitle, and a whole title of three words or more is rarely the beginning of another.
    ///
    /// - Parameters:
    ///   - lines: of the spine.
    ///   - isKnown: whether a word is one of a title or a name, so that it was hardly misread.
    package static func isContinued(
        by lines: [ReadText], insteadOf record: BookRecord, isKnown: (String) throws -> Bool
    ) rethrows -> Bool {
        let title = TextNormalisation.words(RecordWords.split(record.title).main)
            .filter { $0.count > 1 && !CommonWords.contains($0) }
        guard let last = title.last else { return false }
        let own = RecordWords.text(of: record)
        func isOfAnother(_ word: String) -> Bool {
            word.count >= 4 && word.allSatisfy(\.isLetter) && !CommonWords.contains(word)
                && !Publishers.isPublisherWord(word) && !Publishers.isDecoration(word) && !Numbering.isEdition(word)
                && !own.contains { isSame($0, word) || $0.contains(word) || word.contains($0) }
        }
        let clauses = lines.filter { $0.score >= leastScore }.flatMap { line in
            line.text.split { ":;,.!?()/–—".contains($0) }.map { $0.split(separator: " ") }
        }
        let texts = clauses.map { $0.map { TextNormalisation.words(String($0)).joined() } }
        let isRead = lines.contains { TextNormalisation.words($0.text).contains { isSame(last, $0) } }
        for (clause, words) in zip(clauses, texts) {
            let places = words.indices.filter { place in title.contains { isSame($0, words[place]) } }
            guard let end = places.last, end + 1 < words.count, isOfAnother(words[end + 1]),
                clause[end].isUppercased == clause[end + 1].isUppercased
            else { continue }
            // All of the title, or all but its last word, which no other line has.
            if isSame(last, words[end]), title.allSatisfy({ word in words[...end].contains { isSame($0, word) } }) {
                if title.count < manyWords, !texts.contains(where: { $0.last.map { isSame($0, last) } ?? false }) {
                    return true
                }
            } else if !isRead, try isKnown(words[end + 1]) {
                return true
            }
        }
        return false
    }

    private static let manyWords = 3
    /// Of a line that was read well, 0...1.
    private static let leastScore = 0.9

    /// Whether function words join a title to a word of another work, before or after it: `PATTERN RECOGNITION AND MACHINE`.
    ///
    /// Articles alone join nothing: they begin the title, or the next text.
    private static func isPart(_ title: [String], of read: [String], where isOfAnother: (String) -> Bool) -> Bool {
        func isOwn(_ word: String) -> Bool { title.contains { isSame($0, word) } }
        guard let start = read.firstIndex(where: isOwn), let end = read.lastIndex(where: isOwn) else { return false }
        func joins(_ words: some Sequence<String>) -> Bool {
            var isJoined = false
            for word in words {
                guard CommonWords.contains(word) else { return isJoined && isOfAnother(word) }
                isJoined = isJoined || !TextNormalisation.isArticle(word)
            }
            return false
        }
        return joins(read[(end + 1)...]) || joins(read[..<start].reversed())
    }

    /// Whether words are equal except for misread letters.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        Spelling.similarity(one, other, minimum: 0.7) >= 0.7
    }
}

extension Substring {
    /// Whether all letters are capitals.
    fileprivate var isUppercased: Bool { !contains(where: \.isLowercase) }
}
