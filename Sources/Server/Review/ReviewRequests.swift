import Bibliography
import Library
import ShelflistAPI

struct SeenMessage: Decodable {
    /// The ID of the latest change that was shown.
    var through: String
}

struct VerifyAllMessage: Decodable {
    var tier: ConfidenceTier?
    var ids: [String]?
}

struct RejectAllMessage: Decodable {
    var ids: [String]
}

struct UndoMessage: Decodable {
    var undoToken: String?
    /// Whether to undo the latest decision of review, also one of another member.
    ///
    /// Explicit, because a client that lost its token must not undo anything else.
    var latest: Bool?
}

struct DecisionMessage: Decodable {
    var ids: [String]
    var decision: DuplicateDecision
}

struct ResolutionMessage: Decodable {
    var resolvedTitle: FieldPatch<String>
    var resolvedAuthor: FieldPatch<String>
}

struct NewBoxMessage: Decodable {
    var quad: [[Double]]?
    var boundingBox: UnitRect?

    func outline() throws -> SpineOutline {
        if quad == nil, let boundingBox { return SpineOutline(boundingBox) }
        guard let quad, quad.count == 4, quad.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isFinite) }) else {
            throw Problem.invalidField(
                "quad", "The box is missing or not valid. Send a 'quad' of four corners or a 'boundingBox'.")
        }
        return SpineOutline(corners: quad.map { UnitPoint(x: $0[0], y: $0[1]) })
    }
}
