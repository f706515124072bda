package import Foundation
import Synchronization

/// A model compiled for several input shapes.
///
/// A convolutional network compiled for one shape is faster and needs less than half of the memory for its
/// activations. The least recently used model is evicted when another shape is requested.
package final class ModelCache: Sendable {
    private let file: URL
    private let floats: FloatPrecision
    private let kept: CompiledNetworks?
    private let capacity: Int
    /// Most recently used last.
    private let places = Mutex<[(shape: [Int], place: Place)]>([])

    /// A cache slot: the model for one shape, possibly still compiling.
    private final class Place: Sendable {
        let model = Mutex<Model?>(nil)
    }

    /// - Parameters:
    ///   - capacity: the number of shapes to keep compiled, at least one.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    package init(
        contentsOf file: URL, capacity: Int, floats: FloatPrecision = .native, keptIn kept: CompiledNetworks? = nil
    ) {
        self.file = file
        self.floats = floats
        self.kept = kept
        self.capacity = max(1, capacity)
    }

    /// Returns the model for inputs of `shape`, compiling it in a few tenths of a second if it is not cached.
    ///
    /// - Parameter budget: what the model may use if it is compiled now.
    /// - Throws: `InferenceError` if the file is missing, damaged, or does not accept such inputs.
    package func model(for shape: [Int], budget: ComputeBudget) throws(InferenceError) -> Model {
        let place = places.withLock { places in
            if let index = places.firstIndex(where: { $0.shape == shape }) {
                places.append(places.remove(at: index))
            } else {
                if places.count == capacity { places.removeFirst() }
                places.append((shape, Place()))
            }
            return places[places.endIndex - 1].place
        }
        // Held while compiling, so that concurrent requests for the same shape wait instead of compiling it as well.
        return try place.model.withLock { model throws(InferenceError) in
            if let model { return model }
            let compiled = try Model(contentsOf: file, shape: shape, budget: budget, floats: floats, keptIn: kept)
            model = compiled
            return compiled
        }
    }
}
