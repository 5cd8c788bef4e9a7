import DevelopmentControl
import HTTPTypes
import Hummingbird
import BelfryJSON
import NIOCore

/// `GET /api/stream`: what arrived last, then everything as it happens.
struct ActivityController: Sendable {
  /// Pushes of each provider, and again mails, that a reader is sent at first.
  static let latest = 100

  let feed: ActivityFeed
  let pushes: PushLog
  let apns: APNsLog
  let browsers: WebPushLog
  let mails: MailLog

  func addRoutes(to router: Router<BasicRequestContext>) {
    router.get("api/stream") { _, _ in try stream() }
    router.get("api/mails/{sequence}/html") { _, context in try html(context.parameters.get("sequence") ?? "") }
  }

  private func stream() throws -> Response {
    guard let subscription = feed.subscribe() else {
      throw ControlError(
        status: .serviceUnavailable,
        field: nil,
        message: "\(ActivityFeed.maximumSubscribers) pages watch already: close one"
      )
    }
    // After the subscription, so that nothing is missed between the two; what is sent twice has the same number.
    let first = ActivityEvent.retry + snapshot().bytes
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(bytes: first))
        for await event in subscription.events { try await writer.write(ByteBuffer(bytes: event)) }
        try await writer.finish(nil)
      }
    )
  }

  /// Of all providers, in the order of their arrival.
  private var latestPushes: [any ArrivedPush] {
    let latest: [any ArrivedPush] =
      pushes.latest(Self.latest) + apns.latest(Self.latest) + browsers.latest(Self.latest)
    return latest.enumerated().sorted { ($0.element.receivedAt, $0.offset) < ($1.element.receivedAt, $1.offset) }
      .map(\.element)
  }

  func snapshot() -> ActivityEvent {
    let (latest, isConnected) = feed.latest()
    return ActivityEvent("snapshot") { writer in
      writer.array("pushes") { writer in
        for push in latestPushes { writer.object { push.write(to: &$0) } }
      }
      writer.array("mails") { writer in
        for mail in mails.latest(Self.latest) { writer.object { ActivityJSON.write(mail, to: &$0) } }
      }
      writer.array("switches") { writer in
        for event in latest where event.kind == .switch { writer.raw(event.data) }
      }
      writer.array("traces") { writer in
        for event in latest where event.kind == .trace { writer.raw(event.data) }
      }
      writer.key("state")
      writer.raw(latest.last { $0.kind == .state }?.data ?? "null")
      writer.field("connected", isConnected)
    }
  }

  /// A mail as its reader sees it, in a frame that can do nothing: no scripts, nothing loaded from anywhere.
  private func html(_ sequence: String) throws -> Response {
    guard let number = Int(sequence), number > 0 else {
      throw ControlError.invalid("sequence", "expected a number, 1 or more")
    }
    guard let record = mails.records(after: number - 1, limit: 1, where: { $0.sequence == number }).first else {
      throw ControlError(status: .notFound, field: "sequence", message: "no such mail is kept")
    }
    guard let html = MailContent(record.envelope.message).html else {
      throw ControlError(status: .notFound, field: nil, message: "this mail has no HTML part")
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy:
          "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
      ],
      body: .init(byteBuffer: ByteBuffer(string: html))
    )
  }
}
