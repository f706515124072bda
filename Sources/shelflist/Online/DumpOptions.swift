import ArgumentParser
import Downloads
import Foundation

extension ConfigurationReader {
    /// Reads the address of the dumps: Open Library's, or that of a mirror.
    ///
    /// - Throws: `ValidationError`.
    func dumpsURL() throws -> URL { try address("dumpsUrl") ?? DumpServer.openLibrary }
}

extension CatalogDownload {
    /// Runs `body` with a download into this catalog, as the environment and its configuration file set it up.
    static func with<Result>(
        catalog path: String, _ body: (CatalogDownload) async throws -> Result
    ) async throws -> Result {
        let reader = try await ConfigurationReader.ofEnvironment()
        let server = DumpServer(
            url: try reader.dumpsURL(), version: Shelflist.currentVersion, contact: try reader.contact("contact"))
        do {
            let result = try await body(CatalogDownload(catalog: path, server: server))
            await server.close()
            return result
        } catch {
            await server.close()
            throw error
        }
    }
}
