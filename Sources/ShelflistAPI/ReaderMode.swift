/// Who reads the spines of a photo.
///
/// The reader of this machine always reads first; its result stays if a model cannot be asked.
public enum ReaderMode: String, CaseIterable, Sendable, WireWord {
    /// Only the reader of this machine.
    case local
    /// A model is asked about the spines that are below the threshold, in one picture for each photo.
    case assist
    /// Gemini is asked about the whole photo.
    case gemini
    /// A model with OpenAI's protocol is asked about the whole photo.
    case openai

    public static var unknownWord: ReaderMode { .local }
}
