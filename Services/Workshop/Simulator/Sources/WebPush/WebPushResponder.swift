import Cryptography
import Foundation

/// Answers pushes as a browser's push service does, without the network, and reads them as the browser does or hands them to it.
struct WebPushResponder: Sendable {
  /// By which clients know the push service.
  let host: String
  let subscriptions: WebPushSubscriptions
  /// The real ones.
  let browsers: BrowserConnections
  let faults: FaultList
  let log: WebPushLog
  let ports: ListeningPorts
  var clock: @Sendable () -> Date = { Date() }

  /// Where the push service listens; nil while it does not.
  var origin: String? { ports[.webPush].map { "https://\(host):\($0)" } }

  /// The same by address: for who sends, a push service of another host.
  private var originByAddress: String? { ports[.webPush].map { "https://127.0.0.1:\($0)" } }

  /// Where a subscription's pushes are sent.
  func endpoint(of id: String) -> String? { origin.map { "\($0)/push/\(id)" } }

  /// The reply, and how long it is to be held back.
  func respond(to request: ReceivedRequest) -> (WebPushReply, Duration) {
    let (reply, delay) = answer(request)
    log.count(reply.name)
    return (reply, delay)
  }

  private func answer(_ request: ReceivedRequest) -> (WebPushReply, Duration) {
    guard let id = WebPush.id(of: request.path), let origin else { return (.refusal(.unknown), .zero) }
    guard request.method == "POST" else {
      return (.refusal(WebPushRefusal(status: 405, message: "expected POST")), .zero)
    }
    let endpoint = "\(origin)/push/\(id)"
    let decision = faults.decide(.webpush, target: endpoint)
    do throws(WebPushRefusal) {
      if let reply = decision.effect?.webPushReply {
        if decision.effect?.accepts == true {
          _ = try accept(request, id: id, origin: origin)
        } else {
          report(request, id: id, endpoint, reply)
        }
        return (reply, decision.delay)
      }
      let message = try accept(request, id: id, origin: origin)
      return (.answer(status: 201, location: "\(origin)/message/\(message)"), decision.delay)
    } catch {
      report(request, id: id, endpoint, .refusal(error))
      return (.refusal(error), decision.delay)
    }
  }

  private func report(_ request: ReceivedRequest, id: String, _ endpoint: String, _ reply: WebPushReply) {
    log.refuse(to: endpoint, reply) {
      // What the browser could not read is about nobody.
      subscriptions[id].flatMap { try? WebPush(request, to: $0, from: "") }?.notificationID
    }
  }

  /// - Returns: The message's id.
  private func accept(_ request: ReceivedRequest, id: String, origin: String) throws(WebPushRefusal) -> String {
    guard let subscription = subscriptions[id] else { throw .unknown }
    if subscription.isGone { throw .gone }
    let subject = try WebPushCredentials.check(
      request["authorization"],
      origins: [origin] + (originByAddress.map { [$0] } ?? []),
      serverKey: subscription.serverKey,
      now: clock().timeIntervalSince1970
    )
    let push = try WebPush(request, to: subscription, from: subject)
    let message = Base64URL.encode(randomBytes(12))
    log.accept(push, id: message, endpoint: "\(origin)/push/\(id)")
    if push.isForBrowser { browsers.hand(push, version: message, now: clock().timeIntervalSince1970) }
    return message
  }
}
