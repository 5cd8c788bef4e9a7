/// What a send and a schedule have in common, beside whom and when; ``NotificationBuilding`` fills it.
public struct NotificationContent: Sendable {
  var title: String?
  var body: String?
  var data: [String: DataValue] = [:]
  var relatedEntityType: String?
  var relatedEntityID: String?
  var channels: [SendChannel] = []
  var collapseKey: String?
  var isSilent = false

  /// - Parameters:
  ///   - isToTopic: Whether it goes to a topic of FCM.
  ///   - taken: Names of data that are given otherwise.
  func members(isToTopic: Bool, taken: Set<String> = [], _ checks: inout FieldChecks) -> [String: JSONNode] {
    var members: [String: JSONNode] = [:]
    if let title { members["title"] = checks.text(title, "title", limit: 200) }
    if let body { members["body"] = checks.text(body, "body", limit: 4_000, allowsLineBreaks: true) }
    if !data.isEmpty { members["data"] = data.node("data", taken: taken, &checks) }
    if let relatedEntityType {
      members["relatedEntityType"] = checks.text(relatedEntityType, "relatedEntityType", limit: 64)
    }
    if let relatedEntityID { members["relatedEntityId"] = checks.text(relatedEntityID, "relatedEntityId", limit: 128) }
    if !channels.isEmpty {
      members["channels"] = .list(
        channels.enumerated().map { checks.name($1.rawValue, "channels[\($0)]", limit: 64) }
      )
      if isToTopic, !channels.contains(.push) { checks.problem("channels", "a topic gets pushes alone") }
    }
    if let collapseKey { members["collapseKey"] = checks.key(collapseKey, "collapseKey", limit: 64) }
    if isSilent {
      members["silent"] = .boolean(true)
      if isToTopic { checks.problem("silent", "a topic has no inbox") }
    }
    return members
  }
}

/// A channel of delivery.
public struct SendChannel: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The inbox and open connections.
  public static let inApp = Self(rawValue: "inApp")
  public static let push = Self(rawValue: "push")
  public static let email = Self(rawValue: "email")
}

/// Builds a request step by step; each step answers a copy.
public protocol NotificationBuilding: Sendable {
  /// Answers a copy with other content; the steps below are what changes it.
  func withContent(_ change: (inout NotificationContent) -> Void) -> Self
}

extension NotificationBuilding {
  /// In place of the type's own title; at most 200 characters.
  public func title(_ title: String) -> Self { withContent { $0.title = title } }

  /// In place of the type's own body; at most 4,000 characters, line breaks and tabs among them.
  public func body(_ body: String) -> Self { withContent { $0.body = body } }

  /// Variables of the type's texts, and payload for the app: at most 64 entries, and 4,096 bytes of names and values. Takes the place of
  /// earlier data.
  public func data(_ data: [String: DataValue]) -> Self { withContent { $0.data = data } }

  /// What it is about: who looks at it gets no push, and apps can lead there.
  ///
  /// - Parameters:
  ///   - type: At most 64 characters.
  ///   - id: At most 128 characters; a UUID, if older apps read it.
  public func about(_ type: String, id: String) -> Self {
    withContent { ($0.relatedEntityType, $0.relatedEntityID) = (type, id) }
  }

  /// Narrows what preferences allow, and never widens it. All channels unless given.
  public func channels(_ channels: SendChannel...) -> Self { withContent { $0.channels = channels } }

  /// A later notification with the same key replaces this one on the device: 1 to 64 visible ASCII characters.
  public func collapsing(_ key: String) -> Self { withContent { $0.collapseKey = key } }

  /// For the inbox alone, such as history that is imported.
  public func silent() -> Self { withContent { $0.isSilent = true } }
}
