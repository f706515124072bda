package import Foundation
import Synchronization

/// A model compiled for several input shapes.
///
/// A convolutional network compiled for one shape is faster and needs less than half of the memory for its
/// activations. The least recently used model is evicted when another shape is requested.
package final class ModelCache: Sendable {
    private let file: URL
    private let capacity: Int
    /// Most recently used last.
    private let kept = Mutex<[(shape: [Int], place: Place)]>([])

    /// A cache slot: the model for one shape, possibly still compiling.
    private final class Place: Sendable {
        let model = Mutex<Model?>(nil)
    }

    /// - Parameter capacity: the number of shapes to keep compiled, at least one.
    package init(contentsOf file: URL, capacity: Int) {
        self.file = file
        self.capacity = max(1, capacity)
    }

    /// Returns the model for inputs of `shape`, compiling it in a few tenths of a second if it is not cached.
    ///
    /// - Parameter budget: what the model may use if it is compiled now.
    /// - Throws: `InferenceError` if the file is missing, damaged, or does not accept such inputs.
    package func model(for shape: [Int], budget: ComputeBudget) throws(InferenceError) -> Model {
        let place = kept.withLock { kept in
            if let index = kept.firstIndex(where: { $0.shape == shape }) {
                kept.append(kept.remove(at: index))
            } else {
                if kept.count == capacity { kept.removeFirst() }
                kept.append((shape, Place()))
            }
            return kept[kept.endIndex - 1].place
        }
        // Held while compiling, so that concurrent requests for the same shape wait instead of compiling it as well.
        return try place.model.withLock { model throws(InferenceError) in
            if let model { return model }
            let compiled = try Model(contentsOf: file, shape: shape, budget: budget)
            model = compiled
            return compiled
        }
    }
}
