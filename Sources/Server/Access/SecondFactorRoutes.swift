import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The routes for a member's second factor.
struct SecondFactorRoutes: Sendable {
    let accounts: AccountBook
    let audit: AccessRecord
    /// Checks passwords and codes.
    let sessions: SessionRoutes

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/session/second-factor", needs: .ownSession.confirmed, start)
        table.add(.put, "api/v1/session/second-factor", needs: .ownSession.confirmed, costs: .login, turnOn)
        table.add(.delete, "api/v1/session/second-factor", needs: .ownSession, costs: .login, turnOff)
    }

    private func member(_ context: AppContext) throws -> Accounts.Member {
        guard let id = context.caller.member, let member = accounts.read({ $0.member(id) }) else {
            throw Problem.signInNeeded
        }
        return member
    }

    /// Returns a new secret for an authenticator app.
    ///
    /// Nothing is stored until a code proves that the app has it.
    private func start(_ request: Request, _ context: AppContext) async throws -> NewFactorMessage {
        let codes = OneTimeCodes()
        let address = codes.address(account: try member(context).name)
        return NewFactorMessage(secret: Base32.encode(codes.secret), url: address, qrCode: QRCode(address)?.svg)
    }

    /// Turns the factor on, or replaces it.
    private func turnOn(_ request: Request, _ context: AppContext) async throws -> RecoveryMessage {
        let proof: FactorProofMessage = try await request.json()
        let member = try member(context)
        let id = member.id
        guard let codes = Base32.decode(proof.secret).flatMap(OneTimeCodes.init(secret:)) else {
            throw Problem.invalidField("secret", "The secret is not valid. Request a new one.")
        }
        let code = proof.code.filter { !$0.isWhitespace }
        guard let period = codes.period(of: code, at: audit.date()) else { throw Problem.wrongCode }
        if member.secondFactor != nil {
            guard let current = proof.currentCode, !current.isEmpty else { throw Problem.currentCodeNeeded }
            try sessions.check(current, of: member, RequestHead(request.head, peer: context.peer))
        }
        let (factor, recovery) = SecondFactor.make(codes, period: period)
        try accounts.change { accounts in
            guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { throw Problem.notFound }
            // Another request may have turned it on since.
            guard member.secondFactor != nil || accounts.members[index].secondFactor == nil else {
                throw Problem.currentCodeNeeded
            }
            accounts.members[index].secondFactor = factor
        }
        audit.record(.secondFactorOn, by: context.caller)
        return RecoveryMessage(recoveryCodes: recovery)
    }

    /// Turns the factor off.
    ///
    /// The request has the code itself, because a stolen session can wait until its member confirms it. It may have the
    /// password too, so that the member needs only one code.
    private func turnOff(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let member = try member(context)
        let id = member.id
        let proof: FactorRemovalMessage = try await request.json()
        guard member.secondFactor != nil else { return .noContent }
        let head = RequestHead(request.head, peer: context.peer)
        if let password = proof.password {
            _ = try await sessions.checkPassword(password, of: context.caller, head)
        } else if !context.caller.isConfirmed {
            throw Problem.confirmationNeeded
        }
        try sessions.check(proof.code, of: member, head)
        let wasOn = try accounts.change { accounts in
            guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { throw Problem.notFound }
            defer { accounts.members[index].secondFactor = nil }
            return accounts.members[index].secondFactor != nil
        }
        if wasOn { audit.record(.secondFactorOff, by: context.caller) }
        return .noContent
    }
}

private struct NewFactorMessage: ResponseEncodable {
    /// In Base32, for apps without a camera.
    var secret: String
    var url: String
    @Null var qrCode: String?
}

private struct FactorProofMessage: Decodable {
    var secret: String
    var code: String
    /// A code of the factor that is replaced, or one of its recovery codes.
    var currentCode: String?
}

private struct FactorRemovalMessage: Decodable {
    /// A code of the factor, or one of its recovery codes.
    var code: String
    /// Needed if the session was not confirmed a short time ago.
    var password: String?
}

private struct RecoveryMessage: ResponseEncodable {
    /// Each replaces the authenticator app once; returned only here.
    var recoveryCodes: [String]
}
