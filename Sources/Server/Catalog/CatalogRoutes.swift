import Catalog
import Downloads
import Hummingbird
import ShelflistAPI

/// The routes for the local catalog and its download.
struct CatalogRoutes: Sendable {
    let downloads: CatalogDownloads

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/catalog", needs: .viewer) { _, _ in CatalogMessage(try await downloads.status()) }
        table.add(.get, "api/v1/catalog/download/estimate", needs: .owner, costs: .work, estimate)
        table.add(.post, "api/v1/catalog/download", needs: .owner, costs: .work, start)
        table.add(.post, "api/v1/catalog/update", needs: .owner, costs: .work) { _, _ in
            try await downloads.update()
            return try await message()
        }
        table.add(.delete, "api/v1/catalog/download", needs: .owner, cancel)
    }

    private func message() async throws -> EditedResponse<CatalogMessage> {
        CatalogMessage(try await downloads.status()).with(.accepted)
    }

    private func estimate(_ request: Request, _ context: AppContext) async throws -> DownloadEstimate {
        let query = Query(request)
        let names = try query.text("languages", maxLength: 1000)?.split(separator: ",").map(String.init) ?? []
        do {
            let filter = try EditionFilter(languages: names, needsISBN: try query.flag("isbn") ?? false)
            return try await downloads.estimate(filter)
        } catch let error as UnknownLanguage {
            throw query.invalid("languages", error.description)
        }
    }

    private func start(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let wanted: StartDownloadMessage = try await request.json()
        try await downloads.start(
            try EditionFilter(languages: wanted.languages ?? [], needsISBN: wanted.isbn ?? false))
        return try await message()
    }

    private func cancel(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        try await downloads.cancel(keepsFiles: try Query(request).flag("keep") ?? true)
        return try await message()
    }
}
