import Dispatching
import Foundation
import NotificationModel
import NotificationQueue
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
    let suppressed = Mutex<[String]>([])

    func suppress(_ address: String, on channel: Channel, of user: UserID) async throws {
      #expect(channel == .email)
      suppressed.withLock { $0.append("\(user) \(address)") }
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
    answer: @escaping @Sendable (SMTPEnvelope) throws(TransportError) -> SMTPReply
  ) async throws -> DeliveryResult {
    await channel(answer).deliver(try targeted(address, title: title))
  }

  private func targeted(_ address: String, title: String = "Hello") throws -> TargetedDelivery {
    let type = try #require(try Catalogue().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: title, body: "World", data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: Date(timeIntervalSince1970: 1_800_000_000),
      expiresAt: Date(timeIntervalSince1970: 1_800_086_400)
    )
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

  @Test func `addresses to forget are suppressed one by one`() async throws {
    let channel = channel { _ throws(TransportError) in SMTPReply(code: 250) }
    try await channel.forget([
      ForgottenTarget(user: user, target: .init(id: "a@b", address: "a@b"), reason: "550 5.1.1")
    ])
    #expect(addresses.suppressed.withLock(\.self) == ["\(user) a@b"])
  }
}
