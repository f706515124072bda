import Concurrency
import Testing

@Suite struct BoundedCacheTests {
    @Test("A value is computed once, until the cache is full and emptied")
    func computesOnce() {
        let cache = BoundedCache<Int, String>(limit: 2)
        var computed: [Int] = []
        func value(of key: Int) -> String {
            cache.value(of: key) {
                computed.append(key)
                return "\(key)"
            }
        }
        #expect([1, 2, 1, 2].map(value) == ["1", "2", "1", "2"])
        #expect(computed == [1, 2])
        #expect(value(of: 3) == "3")
        #expect(cache[[1, 2, 3]] == [nil, nil, "3"])
        cache.keep([(3, "three"), (4, "4"), (5, "5")])
        #expect(cache[[3, 4, 5]] == [nil, nil, "5"])
    }
}
