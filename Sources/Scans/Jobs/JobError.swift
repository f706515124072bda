import Bounds
import Foundation
import Identification
import Imaging
import ShelflistAPI

/// Why a job does not do what was asked.
package enum JobError: ReportedError, Hashable {
    case notFound
    case unknownBook(String)
    case noPhotos(limit: Int)
    case tooManyPhotos(limit: Int)
    case tooManyJobs(limit: Int)
    case photoNotExpected(Int, expected: Int)
    case photoExists(Int)
    case notFailed(Int)
    case closed
    /// Nothing can be added from photos that were only to be checked.
    case onlyChecked
    case busy
    case stopping
    case diskFull
    /// A row of the job cannot be decoded.
    case damaged(String)

    package var problemCode: String {
        switch self {
        case .notFound: "job_not_found"
        case .unknownBook: "not_found"
        case .noPhotos: "no_photos"
        case .tooManyPhotos: "too_many_photos"
        case .tooManyJobs: "too_many_jobs"
        case .photoNotExpected, .photoExists: "photo_exists"
        case .notFailed, .closed, .onlyChecked: "job_closed"
        case .busy: "reader_busy"
        case .stopping: "stopping"
        case .diskFull: "disk_full"
        case .damaged: "library_unavailable"
        }
    }

    package var field: String? { if case .noPhotos = self { "photo" } else { nil } }

    package var limit: Int? {
        switch self {
        case .tooManyPhotos(let limit), .tooManyJobs(let limit): limit
        default: nil
        }
    }

    package var description: String {
        switch self {
        case .notFound: "There is no such scan job, or its results have expired. Scan the photo again."
        case .unknownBook(let id): "The scan has no book '\(id.shortened(to: 60))'. Use the IDs in its results."
        case .noPhotos(let limit):
            "There is no photo in the request. Send 1 to \(limit) photos in parts named 'photo'."
        case .tooManyPhotos(let limit): "A scan job takes at most \(limit) photos. Send the others as another job."
        case .tooManyJobs(let limit):
            "\(limit) scan jobs of this client are running, which is the limit. Wait until one is finished."
        case .photoNotExpected(let number, let expected):
            "The job expects \(expected) photos, so there is no photo \(number). Start another job for it."
        case .photoExists(let number): "Photo \(number) is here already, and it is another one. Use a free number."
        case .notFailed(let number): "Photo \(number) has not failed, so there is nothing to repeat."
        case .closed: "The job is finished and takes no more photos. Start another job."
        case .onlyChecked:
            "The scan only checked which books the library has, and its photos are deleted. Scan your shelf to add books."
        case .busy: "The reader is busy. Try again in a moment."
        case .diskFull:
            "The server's disk is full, so nothing was changed. Free some space on the server, then send the request again."
        case .damaged(let id): "The scan job \(id) is damaged on the server's disk. Read its photos again."
        case .stopping: "The server is being stopped. Send the photo again in a moment."
        }
    }
}

extension JobProblem {
    /// - Parameter error: what a reader threw.
    init(_ error: any Error, photo: Int) {
        switch error {
        case let error as ImageError:
            self.init(
                code: error.problemCode, message: error.message, retryable: error.code == .outOfMemory, photo: photo)
        case let error as IdentificationError:
            self.init(code: error.problemCode, message: error.description, retryable: false, photo: photo)
        case let error as CocoaError:
            self.init(
                code: "photo_missing",
                message:
                    "The photo's file cannot be read on the server (\(error.localizedDescription)). Send it again.",
                retryable: false, photo: photo)
        default:
            // Some errors are whole sentences that say what to do.
            let reason = "\(error)"
            let message =
                reason.hasSuffix(".")
                ? "The photo could not be read. \(reason)" : "The photo could not be read: \(reason). Try again."
            self.init(code: "reading_failed", message: message, retryable: true, photo: photo)
        }
    }
}
