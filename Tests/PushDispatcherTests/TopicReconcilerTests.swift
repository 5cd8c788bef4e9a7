import Cryptography
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore
@testable import PushDispatcher
@testable import Transport

/// How what is due is brought to FCM.
@Suite(.timeLimit(.minutes(1))) struct TopicReconcilerTests {
  private typealias Change = TopicRegistrationStore.Change
  private typealias Outcome = TopicRegistrationStore.Outcome

  /// What is due, in memory; the real one has tests of its own.
  private final class Registry: TopicRegistry {
    private let state: Mutex<(due: [Change], settled: [String: Outcome])>

    init(_ due: [Change]) { state = Mutex((due, [:])) }

    var settled: [String: Outcome] { state.withLock(\.settled) }

    func claim(limit: Int, lease: Duration) async throws -> TopicRegistrationStore.Claim {
      state.withLock { state in
        let changes = Array(state.due.prefix(limit))
        state.due.removeFirst(changes.count)
        return .init(id: UUID(), changes: changes)
      }
    }

    func settle(_ claim: TopicRegistrationStore.Claim, _ outcomes: [Outcome]) async throws {
      state.withLock { state in
        for (change, outcome) in zip(claim.changes, outcomes) { state.settled[change.address] = outcome }
      }
    }
  }

  /// Answers each address as a test says, and counts how many are asked about at a time.
  private final class Server: HTTPSender {
    private let calls = Mutex((now: 0, most: 0, all: 0))
    private let gate: Int
    private let answer: @Sendable (String) -> (status: Int, body: String)

    /// - Parameter gate: Answers nothing before so many are asked about; 0 answers at once.
    init(gate: Int = 0, answer: @escaping @Sendable (String) -> (status: Int, body: String)) {
      self.gate = gate
      self.answer = answer
    }

    var most: Int { calls.withLock(\.most) }
    var all: Int { calls.withLock(\.all) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
      guard !request.url.hasSuffix("/token") else {
        return Self.response(200, #"{"access_token":"t","expires_in":3600}"#)
      }
      calls.withLock { calls in
        calls.now += 1
        calls.all += 1
        calls.most = max(calls.most, calls.now)
      }
      while calls.withLock({ $0.all < gate }) { await Task.yield() }
      calls.withLock { $0.now -= 1 }
      let parts = request.url.split(separator: "/")
      let address = parts.firstIndex(of: "registrations").map { String(parts[$0 + 1]) } ?? ""
      let (status, body) = answer(address)
      return Self.response(status, body)
    }

    private static func response(_ status: Int, _ body: String) -> HTTPResponse {
      HTTPResponse(status: status, headers: HTTPHeaders(lines: []), body: Array(body.utf8), httpVersion: "2")
    }
  }

  private func reconciler(_ registry: Registry, _ server: Server) throws -> TopicReconciler {
    let account = ServiceAccount(
      projectID: "p",
      privateKeyID: "k",
      privateKey: try PrivateKey(.rsa).pem,
      clientEmail: "belfry@example.com",
      tokenURI: "https://oauth.example/token"
    )
    return TopicReconciler(
      registry: registry,
      subscriptions: TopicSubscriptionClient(
        url: "https://fcm.example/v1/projects/p/registrations",
        client: server,
        tokens: try AccessTokens(account: account, client: server, logger: .quiet)
      ),
      lease: .seconds(60),
      logger: .quiet
    )
  }

  private func changes(_ count: Int) -> [Change] {
    (0..<count).map { Change(address: "a\($0)", topic: "news", isWanted: $0 % 2 == 0, attempts: 0) }
  }

  @Test func `a hundred are told at once and no more, and a full claim is followed by the next at once`() async throws {
    let registry = Registry(changes(130))
    let server = Server(gate: 100) { _ in (200, "{}") }
    let reconciler = try reconciler(registry, server)
    #expect(try await reconciler.round() == nil)
    #expect(server.most == 100 && registry.settled.count == 100)
    #expect(try await reconciler.round() == .seconds(1))
    #expect(registry.settled.count == 130 && registry.settled.values.allSatisfy { $0 == .done })
    #expect(try await reconciler.round() == .seconds(1))
    #expect(server.all == 130)
  }

  @Test func `what fails waits by itself, and the others are done`() async throws {
    let registry = Registry(changes(4))
    let server = Server { $0 == "a2" ? (503, "") : (200, "{}") }
    #expect(try await reconciler(registry, server).round() == .seconds(1))
    let settled = registry.settled
    #expect(settled["a0"] == .done && settled["a1"] == .done && settled["a3"] == .done)
    guard case .again(let wait, _) = settled["a2"] else {
      Issue.record("it is not told again")
      return
    }
    #expect(wait == .seconds(10))
  }

  @Test func `the project's quota stops all of it, a device's only itself`() async throws {
    let quota: @Sendable (String) -> String = { subject in
      """
      {"error":{"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"\(subject)"}]}]}}
      """
    }
    let one = Registry(changes(2))
    let device = Server { $0 == "a0" ? (429, quota("device:a0")) : (200, "{}") }
    #expect(try await reconciler(one, device).round() == .seconds(1))
    #expect(one.settled["a1"] == .done && one.settled["a0"] == .again(after: .seconds(60), reason: "QUOTA_EXCEEDED"))
    let all = Registry(changes(2))
    let project = Server { $0 == "a0" ? (429, quota("project:p")) : (200, "{}") }
    #expect(try await reconciler(all, project).round() == .seconds(60))
    #expect(all.settled["a1"] == .done && all.settled["a0"] == .again(after: .seconds(60), reason: "QUOTA_EXCEEDED"))
  }

  @Test func `a quota that many meet stops all of it, though whose it is cannot be read`() async throws {
    let many = Registry(changes(20))
    let server = Server { ["a0", "a2", "a4"].contains($0) ? (200, "{}") : (429, "<html>") }
    #expect(try await reconciler(many, server).round() == .seconds(60))
    #expect(many.settled["a0"] == .done)
    let few = Registry(changes(30))
    let partly = Server { $0.hasSuffix("9") ? (429, "<html>") : (200, "{}") }
    #expect(try await reconciler(few, partly).round() == .seconds(1))
  }

  @Test func `a dispatcher that stood still tells FCM nothing, for another may have told it the contrary`() async throws
  {
    let registry = Registry(changes(3))
    let server = Server { _ in (200, "{}") }
    var late = try reconciler(registry, server)
    late.latestCall = .zero
    _ = try await late.round()
    #expect(server.all == 0 && registry.settled.count == 3 && !registry.settled.values.contains(.done))
  }
}
