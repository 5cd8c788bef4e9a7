import Foundation
import NotificationModel
import NotificationQueue

/// A part with its type: a whole request, or some of its recipients.
struct RoutingJob {
  var type: NotificationType
  var part: RoutedPart
  /// The channels whose messages another job of the batch has just sent to the same recipients.
  var sent: Set<Channel> = []

  /// Of all `channels`, those whose messages are this job's to send; nil means all.
  func own(of channels: [Channel]) -> Set<Channel>? {
    if part.due != nil { return part.channels }
    return sent.isEmpty ? nil : Set(channels).subtracting(sent)
  }

  /// What is left of it for some recipients of whom another job, which is no copy of it, is routed before it: to a send that
  /// comes after what was due of it, such as a late copy, the channels that were due are done.
  func keeping(_ users: [UserID], after other: RoutingJob, of channels: [Channel]) -> RoutingJob {
    var job = keeping(users[...])
    if part.due == nil, other.part.due != nil { job.sent.formUnion(other.part.channels ?? Set(channels)) }
    return job
  }
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
      isSilent: part.isSilent,
      now: now
    )
  }
}
