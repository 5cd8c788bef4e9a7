import DevelopmentControl
import Foundation
import BelfryJSON

/// A push that a provider took, as the page and `belfry-dev run` are told of it.
protocol ArrivedPush: LogRecord {
  var provider: SimulatedPushProvider { get }
  /// Milliseconds since 1970.
  var receivedAt: Int64 { get }
  /// Token, endpoint, or whatever else it was sent to.
  var target: String { get }
  var notificationID: String? { get }
  /// What a later push replaces this one by.
  var replacementKey: String? { get }
  /// Whether its device got the notification before.
  var repetition: DuplicateTracker.Repetition { get }
  /// What the device shows: read of the message only when somebody watches.
  var shown: ShownPush { get }
}

/// Which of the simulator's push services something is about, as settings and the API call it.
enum SimulatedPushProvider: String, Sendable {
  case fcm, apns, webPush
}

/// What a push shows on a device.
struct ShownPush {
  var title: String?
  var body: String?
  /// Code of the notification's type.
  var type: String?
  /// Passes the quiet of the phone itself.
  var isUrgent = false
  /// As the device gets it.
  let message: JSONValue
}

extension ArrivedPush {
  /// Fields of an object that is begun.
  func write(to writer: inout JSONWriter) {
    let shown = shown
    writer.field("provider", provider.rawValue)
    writer.field("sequence", sequence)
    writer.field("at", ActivityJSON.time(receivedAt))
    writer.field("token", target)
    writer.nullableField("notificationId", notificationID)
    if let type = shown.type.flatMap({ Int($0) }) { writer.field("type", type) }
    writer.nullableField("title", shown.title)
    writer.nullableField("body", shown.body)
    writer.nullableField("collapseId", replacementKey)
    writer.field("urgent", shown.isUrgent)
    writer.field("again", repetition != .none)
    // Anew, for it may have come in several lines.
    writer.key("message")
    writer.value(shown.message)
  }

  fileprivate var sighting: Sighting {
    Sighting(
      kind: .push,
      at: receivedAt,
      target: target,
      notification: notificationID,
      isSeenTwice: repetition == .differing
    )
  }
}

extension ActivityFeed {
  func publish(_ push: some ArrivedPush) {
    publish {
      ActivityEvent("push") { push.write(to: &$0) }
    } seen: {
      push.sighting
    }
  }
}

// MARK: Each provider's

extension PushRecord: ArrivedPush {
  var provider: SimulatedPushProvider { .fcm }
  var target: String { message.target.text }
  var notificationID: String? { message.notificationID }
  var replacementKey: String? { message.apnsCollapseID ?? message.tag ?? message.webTag ?? message.collapseKey }

  var shown: ShownPush {
    // What was accepted is a JSON object.
    let message = (try? JSONParser.parse(json)) ?? .object([])
    let data = message["data"]
    // Without a notification the app shows what the data has.
    let text = message["notification"] ?? data
    return ShownPush(
      title: text?["title"]?.string,
      body: text?["body"]?.string,
      type: data?["type"]?.string,
      isUrgent: message["apns"]?["payload"]?["aps"]?["interruption-level"]?.string == "time-sensitive",
      message: message
    )
  }
}

extension APNsLog.Record: ArrivedPush {
  var provider: SimulatedPushProvider { .apns }
  var target: String { push.token }
  var notificationID: String? { push.notificationID }
  var replacementKey: String? { push.collapseID }

  var shown: ShownPush {
    // What was accepted is a JSON object.
    let payload = (try? JSONParser.parse(push.json)) ?? .object([])
    let aps = payload["aps"]
    let alert = aps?["alert"]
    return ShownPush(
      title: alert?["title"]?.string,
      // An alert may be a text alone.
      body: alert?["body"]?.string ?? alert?.string,
      type: payload["type"]?.string,
      isUrgent: aps?["interruption-level"]?.string == "time-sensitive",
      message: payload
    )
  }
}

extension WebPushLog.Record: ArrivedPush {
  var provider: SimulatedPushProvider { .webPush }
  var target: String { endpoint }
  var notificationID: String? { push.notificationID }
  var replacementKey: String? { push.topic }

  var shown: ShownPush {
    if push.isForBrowser { return ShownPush(title: "Only the browser can read this push", message: .object([])) }
    // A browser that cannot read a push says that the site was updated.
    guard let message = push.text.flatMap({ try? JSONParser.parse($0) }) else {
      return ShownPush(title: "This site has been updated in the background", message: .object([]))
    }
    let notification = message["notification"]
    return ShownPush(
      title: notification?["title"]?.string,
      body: notification?["body"]?.string,
      type: notification?["data"]?["type"]?.string,
      message: message
    )
  }
}
