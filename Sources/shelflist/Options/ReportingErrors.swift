import ArgumentParser
import Terminal

/// Reports errors on standard error and exits with 1; `subject` is the file concerned.
func reportingErrors<Result>(_ subject: String? = nil, _ work: () async throws -> Result) async throws -> Result {
    do {
        return try await work()
    } catch let code as ExitCode {
        throw code
    } catch is CancellationError {
        throw ExitCode(130)
    } catch {
        StandardStream.errors.write(Failure.line(for: subject ?? (error as? CommandError)?.path, error))
        throw ExitCode.failure
    }
}
