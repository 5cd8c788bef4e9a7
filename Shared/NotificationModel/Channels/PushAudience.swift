/// What a push is addressed to where FCM alone knows whose devices those are.
public enum PushAudience: String, Sendable, CaseIterable {
  /// The devices that are subscribed to a topic.
  case topic
  /// Those whose topics fulfil a condition.
  case condition
}
