package import ShelflistAPI

/// What a vision-language model read on one spine.
///
/// A model may name a book from memory that is not on the shelf, so an opinion is weighed like other evidence and never
/// suffices by itself.
package struct SpineOpinion: Codable, Hashable, Sendable {
    /// The provider of the model: `gemini` or `openai`.
    package var reader: String
    package var title: String
    package var author: String?
    /// How sure the model says it is, 0...1.
    package var certainty: Double
    package var outline: UnitQuad

    package init(reader: String, title: String, author: String?, certainty: Double, outline: UnitQuad) {
        (self.reader, self.title) = (reader, title)
        (self.author, self.certainty, self.outline) = (author, certainty, outline)
    }
}
