public import Foundation

/// How long ago something was, as `NotificationDto.timeAgo` says it.
public enum TimeAgo {
  /// `Just now`, `5 minutes ago`, `1 hour ago`, `3 days ago`; times ahead are `Just now`.
  public static func text(from time: Date, to now: Date) -> String {
    let seconds = Int(now.timeIntervalSince(time))
    switch seconds {
    case ..<60: return "Just now"
    case ..<3_600: return text(seconds / 60, "minute")
    case ..<86_400: return text(seconds / 3_600, "hour")
    default: return text(seconds / 86_400, "day")
    }
  }

  private static func text(_ count: Int, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s") ago"
  }
}
