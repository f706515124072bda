/// The size at which photos are sent.
public enum PhotoSize {
    /// In pixels; spines are read as well from it as from a larger photo.
    public static let longSide = 3072
    /// Of JPEG, 0...1.
    public static let quality = 0.9

    /// The size of a photo that is scaled to `longSide`; a smaller photo keeps its own.
    public static func scaled(width: Int, height: Int) -> (width: Int, height: Int) {
        let long = max(width, height)
        guard long > longSide else { return (width, height) }
        return (max(1, width * longSide / long), max(1, height * longSide / long))
    }
}
