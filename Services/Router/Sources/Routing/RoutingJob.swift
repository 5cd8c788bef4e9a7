import Foundation
import NotificationModel
import NotificationQueue

/// A part with its type: a whole request, or some of its recipients.
struct RoutingJob {
  var type: NotificationType
  var part: RoutedPart
}

extension RoutingJob {
  /// What is decided for each recipient.
  func subject(now: Date) -> DecisionSubject {
    var type = type
    // Nothing releases yet what would be held, so nothing of a type holds; without this line it does.
    (type.throttle, type.digest, type.waits) = (nil, nil, PerChannel())
    return DecisionSubject(
      type: type,
      requested: part.channels,
      about: part.content.relatedEntity,
      createdAt: part.content.createdAt,
      expiresAt: part.content.expiresAt,
      now: now
    )
  }
}
