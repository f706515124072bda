/// A line of text in a photo that belongs to no spine.
package struct TextInPhoto: Codable, Hashable, Sendable {
    package var text: String
    package var outline: SpineOutline

    package init(text: String, outline: SpineOutline) { (self.text, self.outline) = (text, outline) }
}
