/// Who a request is for.
public enum Audience: Sendable, Equatable {
  /// These people.
  case users([UserID])
  /// The members of a group (`family:<uuid>`, `conversation:<id>`) at the time of routing, without `except`.
  case group(String, except: Set<UserID>)
  /// All who have a profile at the time of routing, without `except`.
  case everyone(except: Set<UserID>)
  /// Whose devices FCM has for a topic, or for a condition over several: pushes alone, and nobody whom Belfry knows.
  case topic(TopicAudience)
}
