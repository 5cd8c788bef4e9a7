/// What the recipient's quiet hours do to a type's pushes.
public enum QuietHoursPolicy: String, Sendable, Codable, CaseIterable {
  /// Held until the quiet hours end.
  case `defer`
  /// As ``defer``, and always delivered as one with whatever else was held.
  case digest
  /// Left out with its reason; the inbox has it all the same.
  case drop
  /// Delivered, and marked urgent.
  case pierce
}

/// Gathers what happens within a window and delivers it as one.
public struct Digest: Sendable {
  public var channel: Channel
  /// Seconds from the first notification of a window to its end.
  public var every: Int
  /// Mustache over the request's data: what shares a window; nil means all of the type.
  public var key: NotificationTemplate.Part?
  /// Over the data of the latest, and `count`.
  public var texts: LocalizedTemplate
}

/// So many of a type in a time, and what becomes of the rest.
public struct Throttle: Sendable {
  public enum Excess: String, Sendable, Codable, CaseIterable { case hold, drop }

  public var atMost: Int
  /// Seconds.
  public var per: Int
  /// Mustache over the request's data: what is counted together; nil means all of the type.
  public var key: NotificationTemplate.Part?
  public var then: Excess
}

/// A button on a notification.
public struct NotificationAction: Sendable, Equatable {
  /// As apps know it, e.g. `VIEW_GOALS`.
  public var id: String
  public var title: LocalizedText
}
