/// A session in the list of a member's own.
struct ListedSession: Decodable {
    var id: String
    var current: Bool
    var agent: String?
    var address: String?
}
