/// Years as catalogs write them.
public enum Year {
    /// Years of printed books; others are taken for misprints.
    public static let range = 1000...2100

    /// The first run of exactly four digits that is a year of printed books: `c1998.`, `May 3, 2004`.
    public static func first(in text: String) -> Int? {
        for run in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) where run.count == 4 {
            if let year = Int(run), range.contains(year) { return year }
        }
        return nil
    }
}

/// Numbers of pages as catalogs write them.
public enum PageCount {
    /// Numbers that a book can have; others are taken for misprints.
    public static let range = 1...100_000
}
