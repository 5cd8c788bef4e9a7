/// How a channel claims a person's attention, which says what may hold it back.
public enum Attention: Int, Sendable, Comparable {
  /// Not at all, as the inbox: it waits for nothing but the time that its sender set.
  case none
  /// When the person looks for it, as mail: muting, throttles, digests and waiting times count.
  case later
  /// At once, as a push: also pauses and quiet hours, and there is none for what is on the screen.
  case now

  public static func < (left: Attention, right: Attention) -> Bool { left.rawValue < right.rawValue }
}
