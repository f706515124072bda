/// Whose a copy is, or where.
public enum Ownership: String, WireChoice {
    case owned
    case wishlist
    case lent
}

/// How far its owner has read a copy.
public enum ReadingStatus: String, WireChoice {
    case toRead
    case reading
    case read
}
