import Bounds
import ShelflistAPI

/// Why the work queue cannot be used.
package enum WorkQueueError: ReportedError, Equatable {
    case noTables
    case tablesTooOld(found: Int, needed: Int)
    case programTooOld(needed: Int, known: Int)
    /// The database has no role of this name.
    case noRole(String)
    /// A role that owns the tables cannot be limited to the functions.
    case ownerRole(String)
    /// A worker's answer or a server's request that this program does not understand.
    case notUnderstood(String)
    /// What a worker wrote that no photo can have, with the field.
    case refused(String, field: String)

    package var problemCode: String {
        switch self {
        case .noTables: "work_queue_missing"
        case .tablesTooOld: "work_queue_too_old"
        case .programTooOld: "program_too_old"
        case .noRole: "work_queue_role_missing"
        case .ownerRole: "work_queue_role_owns_tables"
        case .notUnderstood: "work_queue_not_understood"
        case .refused: "work_queue_refused"
        }
    }

    package var description: String {
        switch self {
        case .noTables:
            "The work queue's database has no tables of Shelflist. Create them: shelflist work-queue init."
        case .tablesTooOld(let found, let needed):
            """
            The tables of the work queue have version \(found); this program needs \(needed). Bring them up to date: \
            shelflist work-queue init.
            """
        case .programTooOld(let needed, let known):
            """
            The tables of the work queue are for programs of version \(needed) or newer; this one knows \(known). Update \
            Shelflist.
            """
        case .noRole(let role):
            """
            The work queue's database has no role "\(role)". Create it first: CREATE ROLE \(EscapedText.sqlName(role)) LOGIN.
            """
        case .ownerRole(let role):
            """
            The role "\(role)" owns the tables of the work queue or is a superuser, so it would keep all rights. Create a \
            role for workers that is neither.
            """
        case .notUnderstood(let part):
            "The work queue has \(part) that this program does not understand. Use one release on all machines."
        case .refused(let part, let field):
            """
            A worker sent \(part) that no photo can have: \(field) is out of its range. Check the workers, and use one \
            release on all machines.
            """
        }
    }
}
