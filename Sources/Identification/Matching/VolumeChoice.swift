import Bibliography

/// Which volumes of a numbered work a spine may be.
///
/// Volumes differ by a few characters, so the measures of the matching model hardly distinguish them; what the spine
/// says of its number decides. Only titles that are equal but for their numbers are compared.
struct VolumeChoice {
    /// The places of candidates that the spine's number excludes.
    private(set) var excluded: Set<Int> = []
    /// The places of volumes of a work of which the spine does not show which one it is.
    private(set) var open: Set<Int> = []

    /// - Parameters:
    ///   - numbers: on the spine.
    ///   - records: the candidates.
    init(numbers: Set<String>, records: [RecordWords]) {
        let titles = records.indices.filter { !records[$0].volume.base.isEmpty }
        let works = Dictionary(grouping: titles) { place in
            records[place].volume.base + ["\u{1}"] + [String(decoding: records[place].compactSurname, as: UTF8.self)]
        }
        for places in works.values {
            let volumes = Set(places.map { records[$0].volume.number })
            guard volumes.count > 1 else { continue }
            let shown = places.filter { place in
                let volume = records[place].volume
                return volume.number.map(numbers.contains) ?? numbers.isSubset(of: volume.base)
            }
            if shown.isEmpty { open.formUnion(places) } else { excluded.formUnion(Set(places).subtracting(shown)) }
        }
    }
}
