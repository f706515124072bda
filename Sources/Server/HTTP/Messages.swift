public import Hummingbird
public import ShelflistAPI

// The messages of ShelflistAPI that routes return.

extension AboutServer: ResponseEncodable {}
extension ActionOutcome: ResponseEncodable {}
extension BookSeries: ResponseEncodable {}
extension ChangedScanBook: ResponseEncodable {}
extension DownloadEstimate: ResponseEncodable {}
extension EventPage: ResponseEncodable, ResponseGenerator where Event: Encodable {}
extension ExistingBooks: ResponseEncodable {}
extension ImportedShelves: ResponseEncodable {}
extension IncompleteSearchState: ResponseEncodable {}
extension LibraryShelfView: ResponseEncodable {}
extension LibraryStats: ResponseEncodable {}
extension LibraryValue: ResponseEncodable {}
extension LibraryVersion: ResponseEncodable {}
extension ListImport: ResponseEncodable {}
extension LocatedBooks: ResponseEncodable {}
extension MatchChanges: ResponseEncodable {}
extension OwnAnswer: ResponseEncodable {}
extension Page: ResponseEncodable, ResponseGenerator where Item: Encodable {}
extension ReviewQueueCounts: ResponseEncodable {}
extension ReviewQueuePage: ResponseEncodable {}
extension ScanAccepted: ResponseEncodable {}
extension ScanImportOutcome: ResponseEncodable {}
extension ScanPhoto: ResponseEncodable {}
extension ScanStatus: ResponseEncodable {}
extension SearchResults: ResponseEncodable {}
extension SeenOutcome: ResponseEncodable {}
extension SessionState: ResponseEncodable {}
extension Stocktake: ResponseEncodable {}
extension ReviewStats: ResponseEncodable {}
extension ShelfAudit: ResponseEncodable {}
extension ShelfInventory: ResponseEncodable {}
