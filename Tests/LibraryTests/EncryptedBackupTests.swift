import Foundation
import Library
import Storage
import TestSupport
import Testing

@Suite struct EncryptedBackups {
    private static let passphrase = "a shelf of one's own"

    /// A tar archive of one file, encrypted by another implementation of age's format and decrypted by rage, with the
    /// work factor 10.
    private static let ofAnotherProgram = """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBFQkVTRXhRVkZoY1lHUm9iSEIwZUh3IDEwCnhBMTl1WTRjaGJ1SzI3MkVK\
        WHZDeXBOb2ZEU0lscGFaZFpOV3JXSUVEaTQKLS0tIGhHaklJK0RLdCtzTldCb0daa2h0dDF6ZWVSTmJMZk81RXJ4YXpOTTlrbHMK\
        ICEiIyQlJicoKSorLC0uLzrmr0hERRHNOwUFTFPO7LChWq0+AvqfH3g0EeSCLLF1e4zQj9CwTCzVYfmLvyYcvcc/3qnt0uDEx0Vo\
        Srk75wLCSdvpNpLtIiJTGItcfUiGcBbs2RsNykLQ1Sy6mBELrR/7IVNhfti8K40OH4LSMmvW4g+udS3yE24I9HXcSdloh5XOPmrD\
        LbwQwDfLC6slYnlj43SZk8elwHz6qVjL3Y7AcgLyPTCLJASPKh5ZIjAJMVyJ+23IdNA6cdmcg5MynyFCEBbjx3N9H4HZqFopFaN9\
        tPPvVaPzR8Uv4dNW5L9Ht9HYsdhqLZBIOd6q7goCLNaea96qWcwQRakS6ZEBWlyrnRFPwiRsicbUAr5tOseGThmYMHDq73NZur7U\
        Y8EkQP/nmqypJ7+6ZN0GMsjFldf1tF1Fuyc3WvhSFxUeozB9BP1+viK4hpwjn9lR0XVIe+n/3QYMfdxe7NnmrLwZgy3LHUOZ6KQM\
        APoUW0yRX8kNkm0qrQLNdfHJpyLdrZieFwQ4WRisS7yDPxAMZMuttg76QHmEoWjggsqEaz2mMUq5/HbfoxKob0cMQMwl8N7XIBXI\
        56F+4MSRZx/0BxA01izs8xOsLUPSjCmlXNsxpBJPmAn4uwBnxB5oNF2MeX+nQQcdXtnRGXudXkqGpK0POuKYOFw58vZNFR+J2cDP\
        FRCw7yvtOsLdTixoZ0n/SjvJRZeCB2Ij/hNBaDfjIcco//yiLFPlMB+PlParhdD3qRua9tlzs05c9ROKZaWpGRP3Iq95rf768+Ve\
        eRCUE45WoTBP2LkRobFpGsNIAb13MTt6FCjWhefprcT5pzZ1YfcHUdnN4kPICtfRJ/UCoR5eR2lwZhQpy1b64C9LCNo1j7QHNk+P\
        b34ItOaD0P8aSyYt/r6lZ+6WiOHMAZEwRYguhp9NMklJwT6t/frThGeLxvEATvxpGoDYzVVinIkuQ7GE5nyzvz2JSKZN0bAe/qNP\
        4pWrYSuZec1D7pyJslLawkvIHPGJCydycimmN2F9vjdXR75YdSSxyWXaBISQOgA3Ef7lMGJ9nMmTtbTu2GIRATPZsXoWmarhl9ki\
        FJSDUr4ISG61DSqvbg/d++ykhwlq7+jAYgbISC5JUfMXsh8VMadJ/8+xjdAPEOT5hUFfRMEdzXSKAiFVVZfh0A34vSU0z3Nh93TN\
        sUNHKtqL7KTaCcaMLZzPJZrlg6vZE5SNg7G9xBcfbI22sigzTxyPW+1hZEZC3MriWUz8JZadbC2Me3d2IgqhbMKn6i6KpnhC2lds\
        ubzDcLoq9S7ZAm8ck9kaCCGAT9RfH5kb4AEPS0bR61SjT8OF+siMn9ML9AIiTGNcVlcqZNN0kp2bDyDAG5hh7udTj/upKqPuiyw8\
        EdkIeJEfpGaXjDR5qsM10csXz3X/AIWGPSQbI859RXj4kId8uF6+tStBZLwpuO4RkygoaIpRngWqP0fn0j8d21/uNsSoP/Ium7Kq\
        7XeTnR2q7k0b2vPO1itn228u0TzyUw9IvzeuYGkUPPv7LQHsoBsP4+DsVxwRKDY7C0CWjW2nx0BLpRj6ZDmG/secuA80BvH1LmBN\
        yu19qkr1nECkFp8SHPunZCSoTFKSZ3fqbe0zp+RvS7kGoiOYNtcdW+AhVxxHMPz7rjPuyZe0mXrciOmx8z4ivGZrfEoti5fKvy5M\
        PsufEOhIk4NpcqBkfSUOkNxdeboje0VDTFDYxZ3pXHVCPNpwm4mJH95sIMuL9MLVzrCJBHN1QL3AMqcMdzWXYbc7Brir/Ifqpa1W\
        7UVvVmKZsjue/tGEItoCkb4cilMaomF7Xqalu+moeJnvNlMPOf+4XCeTKsLrsO5gkFmEJplmfuBeG3nclE0wRWuHo7CiEJsKBih2\
        lWSd/uRzWr7TMisid4VNO//vAqLPCmHGwv6rPhb5J/cXbIi4w+pMTHh8jUrHOTOitOVlTGdyIXytq5n87sr15WXecjYhazRFf5x2\
        f8MR0UPPmqGKAtY90DyaE7FfEOLZjPr3SNaXYCKFlvOKNuK6x66wlUJ3BiEqTtu3iI8JOAvUHyHEib2+SxStVOY+3JE=
        """

    @Test("A file that another program encrypted with age's format is decrypted")
    func otherProgram() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "a.tar.age")
        try #require(Data(base64Encoded: Self.ofAnotherProgram)).write(to: file)
        var files: [String: String] = [:]
        try TarReader(file, passphrase: Self.passphrase).forEach { name, _, read in
            files[name] = String(decoding: try read(), as: UTF8.self)
        }
        #expect(files == ["hello.txt": "hello, shelf"])
    }

    @Test("An encrypted backup shows nothing, and is not restored without its passphrase")
    func passphrases() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(.init(title: "Emma"))
        let file = library.folder.url.appending(path: "backup.tar.age")
        try await library.store.backUp(to: file, passphrase: Self.passphrase)
        let bytes = try Data(contentsOf: file)
        #expect(bytes.starts(with: Data("age-encryption.org/v1\n-> scrypt ".utf8)))
        #expect(bytes.range(of: Data("SQLite format".utf8)) == nil && bytes.range(of: Data("Emma".utf8)) == nil)
        let folder = LibraryFolder(library.folder.url.appending(path: "other"))
        let wrong: [(String?, String)] = [
            (nil, "--passphrase-file"), ("another one, wrong", "The passphrase is wrong"),
        ]
        for (passphrase, reason) in wrong {
            let error = #expect(throws: StorageError.self) {
                try LibraryStore.restore(file, to: folder, passphrase: passphrase)
            }
            #expect(error?.description.contains(reason) == true)
        }
        #expect(try LibraryStore.restore(file, to: folder, passphrase: Self.passphrase).isEncrypted)
        #expect(try await LibraryStore(folder: folder).titles() == ["Emma"])
    }

    @Test("With a passphrase, a backup that is not encrypted is refused")
    func refusesPlain() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(.init(title: "Mallory"))
        let file = library.folder.url.appending(path: "backup.tar.age")
        try await library.store.backUp(to: file)
        let folder = LibraryFolder(library.folder.url.appending(path: "other"))
        let error = #expect(throws: StorageError.self) {
            try LibraryStore.restore(file, to: folder, passphrase: Self.passphrase)
        }
        #expect(error?.description.contains("It is not encrypted") == true)
        #expect(error?.description.contains("--not-encrypted") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
        #expect(try !LibraryStore.restore(file, to: folder).isEncrypted)
    }

    @Test("Changed, cut and exchanged parts of an encrypted archive are detected")
    func damage() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "a.tar.age")
        let bytes = [UInt8](try #require(Data(base64Encoded: Self.ofAnotherProgram)))
        for place in [bytes.count - 700, bytes.count - 20, bytes.count - 1] {
            var changed = bytes
            changed[place] ^= 1
            try Data(changed).write(to: file)
            expectDamaged(file)
        }
        for count in [1, 16, 700] {
            try Data(bytes.dropLast(count)).write(to: file)
            expectDamaged(file)
        }
        try Data(bytes + [0]).write(to: file)
        expectDamaged(file)
    }

    private func expectDamaged(_ file: URL) {
        let error = #expect(throws: LibraryError.self) {
            try TarReader(file, passphrase: Self.passphrase).forEach { _, _, read in _ = try read() }
        }
        guard case .damaged = error else {
            Issue.record("not reported as damaged: \(String(describing: error))")
            return
        }
    }

    @Test(
        "A header that demands too much, or is for a key, is refused before any work",
        arguments: ["-> scrypt EBESExQVFhcYGRobHB0eHw 40", "-> X25519 abc", "-> scrypt !! 10", "-> scrypt", ""])
    func headers(stanza: String) throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "a.tar.age")
        try Data("age-encryption.org/v1\n\(stanza)\nAAAA\n--- AAAA\n".utf8).write(to: file)
        let error = #expect(throws: StorageError.self) { _ = try TarReader(file, passphrase: Self.passphrase) }
        #expect(error?.description.contains("Decrypt it with age first") == true)
    }
}
