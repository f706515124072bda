import Foundation

/// Claiming, renewing and returning photos.
extension QueueWork {
    /// Claims the photo whose turn it is, and fetches its bytes.
    ///
    /// - Returns: nil if none waits that this worker can read.
    func claim() async throws -> ClaimedPhoto? {
        while true {
            let rows = try await database.transfers.run(
                """
                SELECT out_photo::text, out_lease::text, out_size::text, out_request
                FROM shelflist_work.claim($1::uuid, $2::interval)
                """, [.text(worker.id.uuidString), .interval(timing.lease)], binary: true)
            guard let row = rows.first, let id = row.number(0), let lease = row.number(1), let size = row.number(2),
                let request = row.bytes(3)
            else { return nil }
            // Apart: as one value of the statement above, the database would copy the photo four times.
            let bytes = try await database.transfers.bytes(
                "SELECT * FROM shelflist_work.pieces($1::uuid, $2::bigint, $3::bigint)",
                [.text(worker.id.uuidString), .number(id), .number(lease)])
            if bytes.count == size {
                return ClaimedPhoto(row: id, lease: lease, bytes: bytes, request: request)
            }
            // It was withdrawn in between.
        }
    }

    func start(_ photo: ClaimedPhoto) {
        let task = Task { await self.process(photo) }
        tasks[photo.lease] = (photo, task)
    }

    func process(_ photo: ClaimedPhoto) async {
        let (reports, continuation) = AsyncStream<[UInt8]>.makeStream()
        async let reported: Void = send(reports, of: photo)
        var outcome: PhotoOutcome?
        do {
            outcome = try await reading(photo) { continuation.yield($0) }
        } catch {
            // Only cancellation is thrown: the photo is not wanted any more, or was given back.
            if !(error is CancellationError) { onEvent(.failed("\(error)")) }
        }
        continuation.finish()
        await reported
        if let outcome, !Task.isCancelled {
            await finish(photo, outcome)
        }
        tasks[photo.lease] = nil
        signal.send()
    }

    /// Sends the reports of a photo; what cannot be sent is dropped.
    func send(_ reports: AsyncStream<[UInt8]>, of photo: ClaimedPhoto) async {
        for await body in reports {
            await database.retrying {
                try await database.control.run(
                    "SELECT shelflist_work.report($1::uuid, $2::bigint, $3::bigint, $4::bytea)",
                    [
                        .text(worker.id.uuidString), .number(photo.row), .number(photo.lease), .bytes(body),
                    ])
            }
        }
    }

    /// Stores what was read, until the database has it or the photo was given to another worker.
    func finish(_ photo: ClaimedPhoto, _ outcome: PhotoOutcome) async {
        let (failed, result): (Bool, [UInt8]) =
            switch outcome {
            case .done(let result): (false, result)
            case .failed(let failure): (true, failure)
            case .abandoned: (true, [])
            }
        while !Task.isCancelled {
            do {
                let rows = try await database.control.run(
                    "SELECT shelflist_work.finish($1::uuid, $2::bigint, $3::bigint, $4::boolean, $5::bytea)",
                    [
                        .text(worker.id.uuidString), .number(photo.row), .number(photo.lease), .text("\(failed)"),
                        .bytes(result),
                    ])
                if rows.first?.text(0) != "t" { onEvent(.late(photo: photo.row)) }
                return
            } catch  where error.isTransient {
                database.isRegistered = false
                do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            } catch {
                return onEvent(.failed("\(error)"))
            }
        }
    }

    /// Renews the leases; photos that were given to another worker or withdrawn are stopped.
    func renew() async throws {
        let leases = tasks.keys.sorted()
        let rows = try await database.control.run(
            "SELECT * FROM shelflist_work.renew($1::uuid, $2::bigint[], $3::interval)",
            [.text(worker.id.uuidString), .numbers(leases), .interval(timing.lease)])
        let held = Set(rows.compactMap { $0.number(0) })
        for lease in leases where !held.contains(lease) { tasks[lease]?.task.cancel() }
    }

    /// Asks the database whether a photo is still wanted: every client of the database may send notifications.
    func check(_ row: Int64) async {
        guard database.isRegistered, tasks.values.contains(where: { $0.photo.row == row }) else { return }
        await database.retrying { try await renew() }
    }
}
