import Dispatching
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Transport

/// Hands mails on: what the channel needs of ``SMTPClient``.
protocol MailServer: Sendable {
  func send(_ envelope: SMTPEnvelope) async throws(TransportError) -> SMTPReply

  /// Ends what the server has in full and has not answered.
  func giveUpAnswers()
}

extension MailServer {
  func giveUpAnswers() {}
}

extension SMTPClient: MailServer {}

/// Knows which addresses are of no use, and who wants no mail any more: what the channel needs of ``SuppressionStore``.
protocol AddressBook: Sendable {
  /// Why mails are not to be sent any more; nil for each that may be, in their order.
  func objections(to mails: [SuppressionStore.WaitingMail]) async throws -> [SkipReason?]

  func record(_ evidence: [SuppressionEvidence]) async throws
}

extension SuppressionStore: AddressBook {}

/// Delivers the mails of one stream to mailboxes, through one mail server.
struct EmailChannel: DeliveryChannel {
  var queue = WorkQueue.email
  let channel = Channel.email
  let maximumAttempts: Int
  /// Mails on their way at once.
  let concurrency: Int
  let longestDelivery: Duration
  let composer: EmailComposer
  let mailServer: any MailServer
  let addresses: any AddressBook
  let logger: Logger
  /// Says what users are called, for the log.
  var identifiers: UserIdentifierStore?
  /// The envelope's sender; nil: the composer's.
  var returnPath: String?
  /// Where each mail returns to an address of its own, in place of that one.
  var signedReturnPath = ReturnPath.none
  /// Links by which people unsubscribe; nil: no mail has one.
  var unsubscribing: UnsubscribeHeaders?
  /// How the mail server and the recipients' domains are spared.
  var control: ControlSettings? = ControlSettings.mail()
  /// The scope of the mail server, for the stream's mails.
  var server = "mail"
  var clock: @Sendable () -> Date = { .now }

  /// The recipient's domain, which is spared beside the mail server as a whole.
  func scope(of targeted: TargetedDelivery) -> ProviderScope {
    let domain = targeted.target.address.utf8.reversed().prefix { $0 != UInt8(ascii: "@") }.prefix(Self.longestDomain)
    return ProviderScope(
      "\(server):\(String(decoding: domain.reversed(), as: UTF8.self).lowercased())",
      provider: server
    )
  }

  /// RFC 1035.
  private static let longestDomain = 255

  func deliver(_ targeted: TargetedDelivery) async -> DeliveryResult {
    await deliver(targeted, LongCall { _ in false })
  }

  func giveUpAnswers() { mailServer.giveUpAnswers() }

  /// Bulk mails wait in a backlog, and a click or a complaint must stop them at once.
  var decisionStands: Duration? { queue == .emailBulk ? .zero : .seconds(60) }

  func objections(to targets: [TargetedDelivery]) async throws -> [DeliveryStore.Key: SkipReason] {
    let mails = targets.map { targeted in
      SuppressionStore.WaitingMail(
        user: targeted.delivery.userId,
        address: targeted.target.address,
        type: targeted.content.type,
        category: targeted.content.unsubscribableCategory
      )
    }
    var objections: [DeliveryStore.Key: SkipReason] = [:]
    for (targeted, objection) in zip(targets, try await addresses.objections(to: mails)) {
      let key = DeliveryStore.Key(notificationID: targeted.delivery.notificationId, target: targeted.target.id)
      objections[key] = objection
    }
    return objections
  }

  func deliver(_ targeted: TargetedDelivery, _ call: LongCall) async -> DeliveryResult {
    do {
      let now = clock()
      let message = try composer.compose(
        targeted,
        headers: unsubscribing?.headers(of: targeted, at: now) ?? [],
        unsubscribe: unsubscribing?.url(of: targeted, at: now)
      )
      var envelope = SMTPEnvelope(
        sender: signedReturnPath.address(for: targeted) ?? returnPath ?? composer.sender.address,
        recipients: [targeted.target.address],
        message: message
      )
      envelope.mayLeave = { call.leavesPermit(after: $0) }
      let reply = try await mailServer.send(envelope)
      let result = MailServerAnswer.result(reply, messageID: "\(targeted.delivery.notificationId)@\(composer.domain)")
      if case .deadLettered(let reason) = result {
        logger.error("the mail server refuses our sender or our mail by policy", metadata: ["reply": "\(reason)"])
      }
      return result
    } catch {
      return result(of: error)
    }
  }

  private func result(of error: TransportError) -> DeliveryResult {
    switch error.code {
    case .cancelled: return .abandoned
    // The service stops, and the server has all of it.
    case .closed where error.mayHaveBeenProcessed:
      logger.warning("the mail server has not answered before the stop: a mail may have arrived, and is repeated once")
      return .uncertain(reason: "no answer to the final dot")
    // The recipient's address is none that we can write to.
    case .invalidRequest("To"), .invalidRequest("recipient"): return .rejected(reason: "cannot be addressed: \(error)")
    // Anything else that cannot be written is our own mistake: the mail must not be lost by it.
    case .invalidRequest:
      logger.error("a mail cannot be written", metadata: ["error": "\(error)"])
      return .deadLettered(reason: "cannot be written as a mail: \(error)")
    default:
      if !error.isTransient { logger.error("cannot use the mail server", metadata: ["error": "\(error)"]) }
      return MailServerAnswer.result(error)
    }
  }

  func forget(_ targets: [ForgottenTarget]) async throws {
    let now = Date.now
    let evidence = targets.map { SuppressionEvidence($0, at: now) }
    try await addresses.record(evidence)
    for (item, said) in zip(targets, evidence) {
      let name = try? await identifiers?.text(of: item.user)
      logger.info(
        said.kind.effect == .onRepetition
          ? "mail address refused, and suppressed if that happens again within a week" : "mail address suppressed",
        metadata: ["user": "\(name ?? "\(item.user)")", "reason": "\(item.reason)"]
      )
    }
  }
}
