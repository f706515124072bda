public enum Year {
    /// The years of printed books; other numbers are treated as errors.
    public static let range = 1000...2100

    /// Returns the first run of exactly four digits within `range`: `c1998.`, `May 3, 2004`.
    public static func first(in text: String) -> Int? {
        for run in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) where run.count == 4 {
            if let year = Int(run), range.contains(year) { return year }
        }
        return nil
    }
}

public enum PageCount {
    /// The plausible page counts; other numbers are treated as errors.
    public static let range = 1...100_000
}
