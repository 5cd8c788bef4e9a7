import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import EmailDispatcher
@testable import Transport

@Suite struct EmailChannelTests {
  private struct ScriptedServer: MailServer {
    let answer: @Sendable (SMTPEnvelope) throws(TransportError) -> SMTPReply

    func send(_ envelope: SMTPEnvelope) async throws(TransportError) -> SMTPReply { try answer(envelope) }
  }

  private final class Addresses: AddressBook {
    let recorded = Mutex<[SuppressionEvidence]>([])

    /// By address.
    let objections = Mutex<[String: SkipReason]>([:])
    let asked = Mutex<[SuppressionStore.WaitingMail]>([])

    func record(_ evidence: [SuppressionEvidence]) async throws { recorded.withLock { $0 += evidence } }

    func objections(to mails: [SuppressionStore.WaitingMail]) async throws -> [SkipReason?] {
      asked.withLock { $0 += mails }
      return objections.withLock { known in mails.map { known[$0.address] } }
    }
  }

  private let addresses = Addresses()
  private let user: UserID
  private let delivery: DispatchMessage.Delivery

  init() throws {
    user = try #require(UserID("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b"))
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    delivery = DispatchMessage.Delivery(
      notificationId: NotificationID(request: request, recipient: user),
      userId: user,
      content: 0,
      badge: 0,
      targets: []
    )
  }

  private func deliver(
    to address: String = "mia@example.com",
    title: String = "Hello",
    adjust: (inout NotificationContent) -> Void = { _ in },
    unsubscribing: UnsubscribeHeaders? = nil,
    returnPath: String? = nil,
    signedReturnPath: ReturnPath = .none,
    answer: @escaping @Sendable (SMTPEnvelope) throws(TransportError) -> SMTPReply
  ) async throws -> DeliveryResult {
    var channel = channel(answer)
    (channel.returnPath, channel.signedReturnPath, channel.unsubscribing) = (
      returnPath, signedReturnPath, unsubscribing
    )
    return await channel.deliver(try targeted(address, title: title, adjust: adjust))
  }

  private func targeted(
    _ address: String,
    title: String = "Hello",
    adjust: (inout NotificationContent) -> Void = { _ in }
  ) throws -> TargetedDelivery {
    let type = try #require(try Catalogue().type(.code(12)))
    var content = NotificationContent(
      type: type,
      text: type.template.render(title: title, body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
    adjust(&content)
    return TargetedDelivery(delivery: delivery, target: .init(id: address, address: address), content: content)
  }

  private func channel(
    _ answer: @escaping @Sendable (SMTPEnvelope) throws(TransportError) -> SMTPReply
  ) -> EmailChannel {
    EmailChannel(
      maximumAttempts: 3,
      concurrency: 1,
      longestDelivery: .seconds(1),
      composer: EmailComposer(sender: MIMEAddress(address: "news@example.com"), domain: "example.com"),
      mailServer: ScriptedServer(answer: answer),
      addresses: addresses,
      logger: .quiet
    )
  }

  @Test func `a mail goes from our sender to the target, and is recorded under its Message-ID`() async throws {
    let result = try await deliver { envelope throws(TransportError) in
      #expect(envelope.sender == "news@example.com")
      #expect(envelope.recipients == ["mia@example.com"])
      return SMTPReply(code: 250)
    }
    #expect(result == .delivered(providerID: "\(delivery.notificationId)@example.com"))
  }

  @Test func `of mails that waited it is asked whether their readers and addresses still take them`() async throws {
    var channel = channel { _ throws(TransportError) in SMTPReply(code: 250) }
    #expect(channel.decisionStands == .seconds(60))
    channel.queue = .emailBulk
    #expect(channel.decisionStands == .zero)
    let plain = try targeted("mia@example.com") { $0.category = "account" }
    let news = try targeted("ben@example.com") {
      $0.category = "news"
      $0.mail.mayUnsubscribe = true
    }
    addresses.objections.withLock { $0 = ["ben@example.com": .preferenceOff] }
    let objections = try await channel.objections(to: [plain, news])
    #expect(
      objections == [.init(notificationID: delivery.notificationId, target: "ben@example.com"): .preferenceOff]
    )
    let asked = addresses.asked.withLock(\.self)
    #expect(asked.map(\.address) == ["mia@example.com", "ben@example.com"])
    #expect(asked.map(\.category) == [nil, "news"])
    #expect(asked.allSatisfy { $0.user == user && $0.type == 12 })
  }

  @Test func `a mail that may be unsubscribed from says how, and others do not`() async throws {
    let unsubscribing = UnsubscribeHeaders(
      keys: UnsubscribeKeys(["a secret of links, of more than thirty-two bytes"]),
      address: try #require(PublicURL("https://notify.example.com")),
      domain: "example.com"
    )
    let cases: [(Bool, UnsubscribeHeaders?)] = [(true, unsubscribing), (false, unsubscribing), (true, nil)]
    for (mayUnsubscribe, setUp) in cases {
      let result = try await deliver(
        adjust: { ($0.category, $0.mail.mayUnsubscribe) = ("News", mayUnsubscribe) },
        unsubscribing: setUp
      ) { envelope throws(TransportError) in
        let mail = String(decoding: envelope.message, as: UTF8.self)
        let isMeant = mayUnsubscribe && setUp != nil
        let link = "List-Unsubscribe: <https://notify.example.com/unsubscribe/"
        for header in [
          link, "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n", "List-Id: \"News\" <news.example.com>\r\n",
        ] {
          #expect(mail.contains("\r\n\(header)") == isMeant, "\(header)")
        }
        return SMTPReply(code: 250)
      }
      #expect(result == .delivered(providerID: "\(delivery.notificationId)@example.com"))
    }
  }

  @Test func `with a return path each mail returns to an address of its own, the same at each attempt`() async throws {
    let path = try #require(
      ReturnPath("bounces@b.example.com", secrets: ["a secret of return paths, thirty-two bytes"])
    )
    let senders = Mutex<[String]>([])
    for _ in 0..<2 {
      _ = try await deliver(returnPath: "other@example.com", signedReturnPath: path) {
        envelope throws(TransportError) in
        senders.withLock { $0.append(envelope.sender) }
        #expect(!String(decoding: envelope.message, as: UTF8.self).contains("b.example.com"))
        return SMTPReply(code: 250)
      }
    }
    let used = senders.withLock { $0 }
    let sender = try #require(used.first)
    #expect(used == [sender, sender])
    let read = try #require(path.read(sender))
    #expect(read.user == user && read.notification == delivery.notificationId)
  }

  @Test func `the server's own id of a mail is recorded, for its webhooks name no other`() async throws {
    let result = try await deliver { _ throws(TransportError) in
      SMTPReply(code: 250, enhancedCode: "2.0.0", text: "Ok: queued as 4XyZ1b2C3dz9sPq")
    }
    #expect(result == .delivered(providerID: "4XyZ1b2C3dz9sPq"))
  }

  @Test func `a return path is the envelope's sender alone`() async throws {
    let result = try await deliver(returnPath: "bounces@example.com") { envelope throws(TransportError) in
      #expect(envelope.sender == "bounces@example.com")
      #expect(String(decoding: envelope.message, as: UTF8.self).contains("From: news@example.com\r\n"))
      return SMTPReply(code: 250)
    }
    #expect(result == .delivered(providerID: "\(delivery.notificationId)@example.com"))
  }

  @Test func `what cannot be written is our mistake and dead-lettered`() async throws {
    let result = try await deliver(title: "two\nlines") { _ throws(TransportError) in SMTPReply(code: 250) }
    #expect(result == .deadLettered(reason: "cannot be written as a mail: invalid request: Subject"))
  }

  @Test(arguments: ["m\u{E9}a@example.com", "mia", "a@b>\r\nRCPT TO:<c@d"])
  func `an address that cannot be written to is refused for good, and nothing is sent`(_ address: String) async throws {
    let result = try await deliver(to: address) { _ throws(TransportError) in
      Issue.record("sent")
      return SMTPReply(code: 250)
    }
    #expect(result == .rejected(reason: "cannot be addressed: invalid request: To"))
  }

  @Test func `a mail server out of reach is tried again, and a stop counts no attempt`() async throws {
    let lost = try await deliver { _ throws(TransportError) in throw TransportError(.timeout, isTransient: true) }
    let trouble = DeliveryResult.retry(
      reason: "transport: the request timed out",
      first: .seconds(10),
      isProviderTrouble: true
    )
    #expect(lost == .ofProvider(trouble), "of the mail server, whoever the recipient is")
    let stopped = try await deliver { _ throws(TransportError) in throw .cancelled }
    #expect(stopped == .abandoned)
  }

  @Test
  func `what the server has in full and does not answer is its domain's trouble, and uncertain if the service stops`()
    async throws
  {
    let lost = try await deliver { _ throws(TransportError) in
      throw TransportError(.timeout, isTransient: true, mayHaveBeenProcessed: true)
    }
    let reason = "transport: the request timed out"
    #expect(lost == .retry(reason: reason, first: .seconds(10), isProviderTrouble: true))
    let stopped = try await deliver { _ throws(TransportError) in
      throw TransportError(.closed, isTransient: true, mayHaveBeenProcessed: true)
    }
    #expect(stopped == .uncertain(reason: "no answer to the final dot"))
    let unsent = try await deliver { _ throws(TransportError) in throw .closed }
    #expect(unsent == .retry(reason: "transport: the client is closed", first: .seconds(10)))
  }

  @Test(arguments: [
    ("mia@example.com", "mail:example.com"), ("mia@EXAMPLE.com", "mail:example.com"),
    ("\"a@b\"@c.example", "mail:c.example"),
    ("mia", "mail:mia"), ("mia@", "mail:"),
  ])
  func `a scope is the recipient's domain, within the mail server`(_ address: String, _ name: String) throws {
    let channel = channel { _ throws(TransportError) in SMTPReply(code: 250) }
    let scope = channel.scope(of: try targeted(address))
    #expect(scope.description == name && scope.provider == "mail")
  }

  @Test func `a domain's name is bounded`() throws {
    let channel = channel { _ throws(TransportError) in SMTPReply(code: 250) }
    let scope = channel.scope(of: try targeted("mia@" + String(repeating: "x", count: 10_000)))
    #expect(scope.description.utf8.count == 5 + 255)
  }

  @Test func `a mail that waits long asks whether it leaves its permit`() async throws {
    let waits = Mutex<[Duration]>([])
    let call = LongCall { waited in
      waits.withLock { $0.append(waited) }
      return waited > .seconds(1)
    }
    let channel = channel { envelope throws(TransportError) in
      #expect(envelope.mayLeave?(.milliseconds(100)) == false && envelope.mayLeave?(.seconds(2)) == true)
      return SMTPReply(code: 250)
    }
    _ = await channel.deliver(try targeted("mia@example.com"), call)
    #expect(waits.withLock(\.self) == [.milliseconds(100), .seconds(2)])
  }

  @Test func `addresses to forget are evidence, by whose code they are suppressed at once or on repetition`()
    async throws
  {
    let channel = channel { _ throws(TransportError) in SMTPReply(code: 250) }
    let replies = ["550 5.1.1", "550 5.2.1", "550 5.0.0 no such address"]
    try await channel.forget(
      replies.map {
        ForgottenTarget(
          user: user,
          target: .init(id: "a@b", address: "a@b"),
          reason: $0,
          notification: delivery.notificationId
        )
      }
    )
    let recorded = addresses.recorded.withLock(\.self)
    #expect(recorded.map(\.kind) == [.permanent("5.1.1"), .permanent("5.2.1"), .permanent("5.0.0")])
    #expect(
      recorded.map(\.kind.effect) == [.suppresses(.hardBounce), .onRepetition, .suppresses(.hardBounce)]
    )
    #expect(recorded.map(\.diagnostic) == replies)
    for evidence in recorded {
      #expect(evidence.address == "a@b" && evidence.source == "smtp")
      #expect(evidence.deliveryOf?.user == user && evidence.deliveryOf?.notification == delivery.notificationId)
    }
  }

  @Test func `what is suppressed at once, or on repetition, is what the mail server's answers say`() {
    let cases: [(code: String?, text: String, effect: SuppressionEffect)] = [
      ("5.1.1", "", .suppresses(.hardBounce)), ("5.1.2", "", .suppresses(.hardBounce)),
      ("5.1.3", "", .suppresses(.hardBounce)), ("5.1.6", "", .suppresses(.hardBounce)),
      ("5.1.10", "", .suppresses(.hardBounce)), ("5.4.1", "", .suppresses(.hardBounce)),
      ("5.0.0", "no such user", .suppresses(.hardBounce)), (nil, "no such user", .suppresses(.hardBounce)),
      (nil, "Requested action not taken: 5.1.1 unknown", .suppresses(.hardBounce)),
      ("5.0.0", "5.2.1 disabled", .onRepetition), ("5.2.1", "", .onRepetition), ("5.2.2", "", .onRepetition),
    ]
    for (code, text, effect) in cases {
      let reason: String
      switch MailServerAnswer.result(SMTPReply(code: 550, enhancedCode: code, text: text), messageID: "m") {
      case .rejected(let said, forgetsTarget: true, _, _): reason = said
      case .retry(let said, _, _, thenForgetsTarget: true, _): reason = said
      case let result:
        Issue.record("\(code ?? "") \(text): \(result)")
        continue
      }
      let forgotten = ForgottenTarget(user: user, target: .init(id: "a@b", address: "a@b"), reason: reason)
      #expect(SuppressionEvidence(forgotten, at: .now).kind.effect == effect, "\(code ?? "") \(text)")
    }
  }
}
