import Dispatching
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Transport

/// Delivers to mailboxes through one mail server.
struct EmailChannel: DeliveryChannel {
  let queue = WorkQueue.email
  let channel = Channel.email
  let maximumAttempts: Int
  let concurrency: Int
  let longestDelivery: Duration
  let composer: EmailComposer
  let client: SMTPClient
  let users: UserStore
  let logger: Logger

  func deliver(
    _ delivery: DispatchMessage.Delivery,
    to target: DispatchMessage.Target,
    content: NotificationContent
  ) async -> DeliveryResult {
    let message: [UInt8]
    do {
      message = try composer.compose(delivery, to: target, content: content)
    } catch {
      return .rejected(reason: "cannot be written as a mail: \(error)")
    }
    do {
      let reply = try await client.send(
        SMTPEnvelope(sender: composer.sender.address, recipients: [target.address], message: message)
      )
      let result = MailServerAnswer.result(reply, messageID: "\(delivery.notificationId)@\(composer.domain)")
      if case .rejected = result, reply.enhancedCode?.hasPrefix("5.7.") == true {
        logger.error(
          "the mail server refuses our mail by policy",
          metadata: ["reply": "\(reply.code) \(reply.enhancedCode ?? "")"]
        )
      }
      return result
    } catch {
      switch error.code {
      case .cancelled: return .abandoned
      case .invalidRequest: return .rejected(reason: "cannot be sent: \(error)")
      default:
        if !error.isTransient { logger.error("cannot use the mail server", metadata: ["error": "\(error)"]) }
        return .retry(reason: "transport: \(error)", first: MailServerAnswer.firstRetry)
      }
    }
  }

  func forget(_ targets: [(user: UserID, target: DispatchMessage.Target, reason: String)]) async throws {
    for item in targets {
      try await users.suppressEmail(item.target.address, of: item.user)
      logger.info("mail address suppressed", metadata: ["user": "\(item.user)", "reason": "\(item.reason)"])
    }
  }
}
