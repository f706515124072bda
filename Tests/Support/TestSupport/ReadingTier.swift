import Foundation
package import Testing

/// Whether all tests run that read photos with the models; otherwise a few do.
///
/// `make test` sets SHELFLIST_TEST_READING=1 where code or models that read photos were changed.
package let readsAllPhotos =
    testsThoroughly || ProcessInfo.processInfo.environment["SHELFLIST_TEST_READING"] == "1"

extension Trait where Self == ConditionTrait {
    /// The test reads photos, which takes seconds, and covers code that few changes touch.
    package static var whenReadingChanges: Self {
        .enabled(
            if: readsAllPhotos,
            "runs in make test-all and when code that reads photos changes: SHELFLIST_TEST_READING=1")
    }

    /// The test takes minutes, or needs files that are not part of the repository.
    package static var onlyThoroughly: Self {
        .enabled(if: testsThoroughly, "runs in make test-all: SHELFLIST_TEST_ALL=1")
    }
}
