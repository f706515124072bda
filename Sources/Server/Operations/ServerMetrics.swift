import Lookup
import Providers
import Reading
import Scans
import ShelflistAPI
import Synchronization

/// The server's counters, formatted as Prometheus text.
final class ServerMetrics: Sendable {
    private struct Route: Hashable {
        var name: String
        var status: Int
    }

    private struct State {
        var requests: [Route: Int] = [:]
        /// The number of requests in each bucket of `bounds`, and of slower ones.
        var buckets = [Int](repeating: 0, count: ServerMetrics.bounds.count + 1)
        var seconds = 0.0
    }

    /// In seconds.
    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    private let state = Mutex(State())

    func count(request route: String, status: Int, took: Duration) {
        let seconds = took / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock {
            $0.requests[Route(name: route, status: status), default: 0] += 1
            $0.buckets[bucket] += 1
            $0.seconds += seconds
        }
    }

    func text(jobs: JobCounts, statistics: JobStatistics, followers: Int, providers: [ServiceReport]) -> String {
        let state = state.withLock { $0 }
        var text = PrometheusText()
        text.family("shelflist_requests_total", "counter", "Requests by route and status.")
        for (route, count) in state.requests.sorted(by: { ($0.key.name, $0.key.status) < ($1.key.name, $1.key.status) })
        {
            text.sample("shelflist_requests_total", ["route": route.name, "status": "\(route.status)"], Double(count))
        }
        text.family("shelflist_request_seconds", "histogram", "Time to the response head.")
        var sum = 0
        for (index, bound) in Self.bounds.enumerated() {
            sum += state.buckets[index]
            text.sample("shelflist_request_seconds_bucket", ["le": "\(bound)"], Double(sum))
        }
        sum += state.buckets[Self.bounds.count]
        text.sample("shelflist_request_seconds_bucket", ["le": "+Inf"], Double(sum))
        text.sample("shelflist_request_seconds_sum", [:], state.seconds)
        text.sample("shelflist_request_seconds_count", [:], Double(sum))

        text.family("shelflist_jobs", "gauge", "Stored jobs by status.")
        for status in JobStatus.allCases {
            text.sample("shelflist_jobs", ["status": status.rawValue], Double(jobs.byStatus[status] ?? 0))
        }
        text.gauge("shelflist_photos_waiting", "Photos in the queue.", Double(jobs.photosWaiting))
        text.gauge(
            "shelflist_photos_waiting_for_disk", "Photos that the disk has failed to read for five minutes.",
            Double(jobs.photosWaitingForDisk))
        text.gauge("shelflist_photos_reading", "Photos being read.", Double(jobs.photosReading))
        text.gauge("shelflist_queue_age_seconds", "Age of the oldest photo in the queue.", jobs.queueAge)
        text.gauge("shelflist_followers", "Open event streams and WebSockets.", Double(followers))
        text.family("shelflist_photos_total", "counter", "Photos read and failed since the start.")
        text.sample("shelflist_photos_total", ["outcome": "read"], Double(statistics.photosRead))
        text.sample("shelflist_photos_total", ["outcome": "failed"], Double(statistics.photosFailed))
        text.family("shelflist_stage_seconds_total", "counter", "Time spent in each stage of reading.")
        let timings = statistics.timings
        for (stage, seconds) in [
            ("decode", timings.decode), ("detect", timings.detect), ("recognise", timings.recognise),
            ("group", timings.group), ("match", timings.match),
        ] {
            text.sample("shelflist_stage_seconds_total", ["stage": stage], seconds)
        }
        text.family("shelflist_provider_state", "gauge", "1 for the current state of each provider.")
        for provider in providers {
            for state in ServiceReport.State.allCases {
                text.sample(
                    "shelflist_provider_state", ["provider": provider.id, "state": state.rawValue],
                    provider.state == state ? 1 : 0)
            }
        }
        text.family(
            "shelflist_provider_refused_total", "counter",
            "Answers and records of each provider that could not be used.")
        for provider in providers {
            for (kind, count) in [("answer", provider.refusals.answers), ("record", provider.refusals.records)] {
                text.sample(
                    "shelflist_provider_refused_total", ["provider": provider.id, "kind": kind],
                    Double(count))
            }
        }
        return text.text
    }
}
