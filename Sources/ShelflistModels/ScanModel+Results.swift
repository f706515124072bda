public import ShelflistClient

extension ScanModel {
    /// Adds the books to the library, if the scan was not asked to add them itself.
    ///
    /// ```swift
    /// await model.addToLibrary(ScanImportRequest(minConfidence: 0.8))
    /// ```
    public func addToLibrary(_ request: ScanImportRequest = ScanImportRequest()) async {
        await actOnResults { jobID throws(ShelflistError) in _ = try await self.client.scans.add(request, from: jobID) }
    }

    /// Saves an edit, a match or "Not a book" for a book of the results.
    ///
    /// ```swift
    /// await model.change(book.id, ScanBookChange(title: "Emma", authors: ["Jane Austen"]))
    /// ```
    public func change(_ book: ScanBook.ID, _ change: ScanBookChange) async {
        await actOnResults { jobID throws(ShelflistError) in
            _ = try await self.client.scans.change(book, of: jobID, change)
        }
    }

    /// Removes the books of this scan from the library again.
    ///
    /// ```swift
    /// await model.undo()
    /// ```
    public func undo() async {
        guard let token = results?.undoToken else { return }
        await actOnResults { _ throws(ShelflistError) in try await self.client.undo(token) }
    }

    private func actOnResults(_ request: (String) async throws(ShelflistError) -> Void) async {
        guard phase == .results, let jobID else { return }
        if await act({ () throws(ShelflistError) in try await request(jobID) }) { await reload() }
    }
}
