import Foundation

/// Whether tests run every round, as with `make test-all`, which sets SHELFLIST_TEST_ALL=1.
///
/// Without it, long series of equal rounds are shortened.
package let testsThoroughly = ProcessInfo.processInfo.environment["SHELFLIST_TEST_ALL"] == "1"
