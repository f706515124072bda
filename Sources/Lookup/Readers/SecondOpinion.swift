import Bibliography
import Concurrency
import Foundation
import Identification
import Imaging
import Providers
import Reading
import ShelflistAPI
import SpineReading

/// What a model read in one photo, and what that cost.
struct SecondOpinion: Sendable {
    /// The quality of the pictures on libjpeg's scale.
    private static let quality = 90
    /// The long side of a whole photo, in pixels.
    private static let longSide = 3072

    var opinions: [SpineOpinion]
    var use: ModelUse

    /// Asks about the spines that need review, cut out and put into one picture.
    ///
    /// - Parameters:
    ///   - photo: with its text.
    ///   - bytes: its file.
    ///   - limits: of the file.
    ///   - font: of the numbers.
    /// - Returns: nil if no spine needs review; nothing is sent then.
    /// - Throws: `UnavailableSource`, errors of the photo and the font.
    static func onUnsureSpines(
        of photo: ScannedPhoto, _ reading: PhotoReading, bytes: [UInt8], limits: PhotoLimits, font: URL,
        from client: ModelClient
    ) async throws -> SecondOpinion? {
        let unsure = Array(photo.books.filter { $0.reviewStatus == .needsReview }.prefix(SpineSheet.spineLimit))
        guard !unsure.isEmpty else { return nil }
        let image = try PhotoDecoder.decode(bytes, limits: limits).image
        let quads = unsure.map {
            SpineSheet.readingQuad(of: $0, lines: reading.shelf.lines, readSize: reading.size, in: image.size)
        }
        let sheet = SpineSheet(quads, of: image, font: try Typeface(file: font))
        let question = ModelQuestion(
            .sheet(spines: unsure.count), jpeg: try JPEGCodec.encode(sheet.image, quality: quality))
        return try await ask(question, spines: unsure.count, about: photo, client) { readings in
            var opinions: [SpineOpinion] = []
            var seen: Set<Int> = []
            for reading in readings {
                guard let number = reading.number, unsure.indices.contains(number - 1), seen.insert(number).inserted
                else { continue }
                opinions.append(SpineOpinion(reading, by: client.provider, outline: unsure[number - 1].quad))
            }
            return opinions
        }
    }

    /// Asks about the whole photo, scaled down and upright.
    ///
    /// - Throws: `UnavailableSource`, errors of the photo.
    static func onPhoto(
        _ photo: ScannedPhoto, bytes: [UInt8], limits: PhotoLimits, from client: ModelClient
    ) async throws -> SecondOpinion {
        let upright = try PhotoDecoder.decode(bytes, limits: limits).image.fitted(longSide: longSide)
            .turned(photo.turn)
        let question = ModelQuestion(.photo, jpeg: try JPEGCodec.encode(upright, quality: quality))
        return try await ask(question, spines: nil, about: photo, client) { readings in
            PlacedReadings(readings, size: upright.size, photo: photo).opinions(by: client.provider)
        }
    }

    private static func ask(
        _ question: ModelQuestion, spines: Int?, about photo: ScannedPhoto, _ client: ModelClient,
        _ place: ([ModelReading]) -> [SpineOpinion]
    ) async throws -> SecondOpinion {
        let clock = client.settings.clock
        let start = clock.now
        let reply = try await client.ask(question)
        let opinions = place(reply.readings)
        guard ForeignList.isPlausible(opinions, for: photo.books) else {
            throw UnavailableSource(
                source: client.provider.rawValue,
                message: "\(client.provider.title) named books that are not in the photo. Its answer is not used.")
        }
        let price = ModelPrice.of(client.model, at: clock.now)
        let cost = price.flatMap { price in
            reply.inputTokens.map { price.cost(input: $0, output: reply.outputTokens ?? 0) }
        }
        return SecondOpinion(
            opinions: opinions,
            use: ModelUse(
                reader: client.provider.rawValue, model: client.model, spines: spines, named: opinions.count,
                inputTokens: reply.inputTokens, outputTokens: reply.outputTokens, cost: reply.isKept ? 0 : cost,
                seconds: clock.now.timeIntervalSince(start).thousandths, isKept: reply.isKept))
    }
}

extension SpineOpinion {
    init(_ reading: ModelReading, by provider: ModelProvider, outline: UnitQuad) {
        self.init(
            reader: provider.rawValue, title: reading.title, author: reading.author, certainty: reading.certainty,
            outline: outline)
    }
}

extension DetectedBook {
    /// The folded words on the spine.
    var words: [String] { text.flatMap { TextNormalisation.words($0.text) } }
}

/// The readings of a whole photo with their places in it.
struct PlacedReadings {
    /// A reading without a box belongs to the spine that has this share of its words.
    private static let leastSupport = 0.5

    private let readings: [ModelReading]
    private let size: PixelSize
    private let photo: ScannedPhoto

    /// - Parameters:
    ///   - size: of the picture that was sent, in pixels.
    ///   - photo: as this machine read it.
    init(_ readings: [ModelReading], size: PixelSize, photo: ScannedPhoto) {
        (self.readings, self.size, self.photo) = (readings, size, photo)
    }

    /// Returns the readings that have a place, with the order of the axes that agrees best with the text in the photo.
    func opinions(by provider: ModelProvider) -> [SpineOpinion] {
        let candidates = ModelBox.Order.allCases.map { order in
            zip(readings, outlines(order)).compactMap { reading, outline in
                outline.map { SpineOpinion(reading, by: provider, outline: $0) }
            }
        }
        let best = candidates.indices.max { (support(of: candidates[$0]), $1) < (support(of: candidates[$1]), $0) } ?? 0
        return candidates[best]
    }

    /// Returns the outlines in the photo, which may be stored turned.
    private func outlines(_ order: ModelBox.Order) -> [UnitQuad?] {
        let boxes = ModelBox.fractions(readings.map(\.box), order: order, width: size.width, height: size.height)
        let stored = size.turned(photo.turn.inverse)
        return zip(readings, boxes).map { reading, box in
            guard let box else { return spine(named: reading)?.quad }
            let quad = Quad(box.pixels(in: size)).map { photo.turn.inverse.apply(to: $0, in: size) }
            return UnitQuad(quad, in: stored)
        }
    }

    private func spine(named reading: ModelReading) -> DetectedBook? {
        let opinion = SpineOpinion(reading, by: .gemini, outline: UnitQuad(UnitRect(x: 0, y: 0, width: 1, height: 1)))
        let best = photo.books.map { (book: $0, support: opinion.support(by: $0.words)) }
            .max { $0.support < $1.support }
        return best.flatMap { $0.support >= Self.leastSupport ? $0.book : nil }
    }

    /// How many of the words of the opinions are on the spines at their places.
    private func support(of opinions: [SpineOpinion]) -> Double {
        opinions.reduce(0) { sum, opinion in
            sum + (photo.books.filter { $0.isInside(opinion) }.map { opinion.support(by: $0.words) }.max() ?? 0)
        }
    }
}

/// Recognises an answer about another photo.
enum ForeignList {
    /// With fewer spines that have text, the answer is not judged as a whole.
    private static let leastCount = 5
    /// The least share of them that has a word of its opinion.
    private static let leastShare = 0.1
    /// Shorter words are on many spines.
    private static let leastLength = 4

    /// Whether some of the spines show a word of what a model says they are.
    static func isPlausible(_ opinions: [SpineOpinion], for books: [DetectedBook]) -> Bool {
        var (known, supported) = (0, 0)
        for opinion in opinions {
            let words = books.filter { $0.isInside(opinion) }.flatMap(\.words).filter { $0.count >= leastLength }
            guard !words.isEmpty else { continue }
            known += 1
            let own = TextNormalisation.words([opinion.title, opinion.author ?? ""].joined(separator: " "))
                .filter { $0.count >= leastLength }
            let isShown = own.contains { word in
                words.contains { Spelling.similarity(word, $0, minimum: 0.75) >= 0.75 }
            }
            if isShown { supported += 1 }
        }
        return known < leastCount || Double(supported) >= leastShare * Double(known)
    }
}

extension DetectedBook {
    /// Whether the middle of the spine is in the outline of an opinion.
    fileprivate func isInside(_ opinion: SpineOpinion) -> Bool {
        let size = PixelSize(width: 1, height: 1)
        let bounds = (opinion.outline.pixels(in: size) as Quad).bounds
        let middle = boundingBox.pixels(in: size).center
        return middle.x >= bounds.x && middle.x <= bounds.maxX && middle.y >= bounds.y && middle.y <= bounds.maxY
    }
}
