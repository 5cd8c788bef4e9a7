import Foundation
import HTTPTypes
import Hummingbird
import NotificationModel
import NotificationStore

/// What devices report of pushes: that they displayed one, or that somebody opened it. The push brought the receipt that says whose it
/// is, so neither a browser's worker nor a phone's service extension needs a token.
struct ReceiptController {
  /// Bytes of a report.
  private static let maximumBody = 4_096

  let keys: ReceiptKeys
  let limit: RateLimiter?
  let store: EngagementStore
  let engagement: EngagementController
  let clock: @Sendable () -> Date

  init(_ dependencies: GatewayDependencies) {
    keys = dependencies.receipts
    limit = dependencies.receiptLimit
    store = EngagementStore(client: dependencies.database)
    engagement = EngagementController(dependencies)
    clock = dependencies.clock
  }

  var routes: [Route] { [.post("receipts/:receipt", .open, report)] }

  func report(_ request: Request, context: GatewayContext) async throws -> Response {
    let now = clock()
    guard let receipt = keys.receipt(context.parameters.get("receipt") ?? "", at: now) else { throw Problem.notFound }
    // Whoever has one may send it for ever, and each takes the lock of the user's inbox.
    guard let quota = limit?.take(receipt.user) else { return try await note(request, by: receipt, at: now, context) }
    guard quota.isAdmitted else { throw Problem.tooManyRequests(quota) }
    var response: Response
    do {
      response = try await note(request, by: receipt, at: now, context)
    } catch {
      // Answered here already: an error's answer says what is left too.
      response = Problem(answering: error, logger: context.logger).response(from: request, context: context)
    }
    quota.add(to: &response.headers)
    return response
  }

  private func note(_ request: Request, by receipt: DeliveryReceipt, at now: Date, _ context: GatewayContext)
    async throws
    -> Response
  {
    let report: Report = try await RequestBody.read(of: request, maximum: Self.maximumBody)
    switch report.event {
    case .displayed:
      try await store.displayed(receipt.notification, by: receipt.user, on: receipt.device, at: now)
    case .opened:
      // A notification that the user has deleted meanwhile counts no more, and the device can do nothing about it.
      if try await engagement.note(report.action, of: receipt.notification, by: receipt.user, context) == .unknownAction
      {
        throw Problem.invalid("action", "is none of the notification's")
      }
    }
    return Response(status: .noContent)
  }

  private struct Report: FieldReadable {
    enum Event: String {
      case displayed, opened
    }

    let event: Event
    /// Id of the button; nil: the notification itself was opened.
    let action: String?

    init?(_ reader: FieldReader) {
      let expected = "displayed or opened"
      let name = reader.required("event", String.self, expected: expected)
      let action = reader.text("action", limit: 64)
      guard let name else { return nil }
      guard let event = Event(rawValue: name) else {
        reader.problem("event", "expected \(expected)")
        return nil
      }
      if action != nil, event != .opened {
        reader.problem("action", "is for the event opened")
        return nil
      }
      (self.event, self.action) = (event, action)
    }
  }
}
