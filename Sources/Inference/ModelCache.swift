package import Foundation
import Synchronization

/// One model compiled for several input shapes.
///
/// Compiled for one shape, a network of convolutions needs less than half of the memory for what lies between its
/// layers, and is faster, than compiled for any shape. What was not used for longest is dropped when another shape
/// is asked for.
package final class ModelCache: Sendable {
    private let file: URL
    private let capacity: Int
    /// Most recently used last.
    private let kept = Mutex<[(shape: [Int], place: Place)]>([])

    /// Where the model for one shape is, or is being compiled.
    private final class Place: Sendable {
        let model = Mutex<Model?>(nil)
    }

    /// - Parameter capacity: how many shapes are kept ready, at least one.
    package init(contentsOf file: URL, capacity: Int) {
        self.file = file
        self.capacity = max(1, capacity)
    }

    /// The model for inputs of `shape`, compiled in a few tenths of a second where it is not at hand.
    ///
    /// - Parameter budget: what the model may use if it is compiled now.
    /// - Throws: `InferenceError` where the file is missing, damaged, or does not take such inputs.
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
        // Held while compiling: whoever asks for the same shape waits instead of compiling it as well.
        let result = place.model.withLock { model in
            Result { () throws(InferenceError) in
                if let model { return model }
                let compiled = try Model(contentsOf: file, shape: shape, budget: budget)
                model = compiled
                return compiled
            }
        }
        return try result.get()
    }
}
