import Concurrency
import Foundation
import Hummingbird

/// Records what callers do in the audit log.
struct AccessRecord: Sendable {
    let log: AuditLog
    let clock: SteadyClock
    /// Returns the time by the machine's clock, as in other logs.
    let date: @Sendable () -> Date

    func record(_ event: AuditEvent, by caller: Caller, subject: String? = nil) {
        log.record(event, member: caller.name, subject: subject, address: caller.address, at: date())
    }

    func record(_ event: AuditEvent, by member: String?, subject: String? = nil, at address: String) {
        log.record(event, member: member, subject: subject, address: address, at: date())
    }
}
