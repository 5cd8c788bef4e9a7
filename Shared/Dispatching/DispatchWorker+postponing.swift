import Foundation
import NotificationModel
import NotificationQueue

/// What is done with a message that waits longer than the tier it comes from.
extension DispatchWorker {
  /// Whether the message came back before its provider wants to hear of it: then all of it waits on, and nothing is counted but what
  /// expires meanwhile.
  ///
  /// Nobody is asked who was erased, or what is finished: that is looked up when it is tried.
  func postponed(_ work: InFlightMessage, now: Date) -> Bool {
    guard let notBefore = work.message.notBefore, notBefore > now else { return false }
    // Nothing is put back for longer: it is of a clock that was wrong, and would wait until it expires.
    if notBefore.timeIntervalSince(now) > Self.longestNotBefore { return false }
    for targeted in work.message.targetedDeliveries {
      if targeted.content.expiresAt <= now {
        // As any other: an outcome that is recorded already stands.
        work.expire(targeted)
      } else {
        work.wait(until: notBefore, targeted, now: now)
      }
    }
    return true
  }

  /// In seconds; clocks may differ by five minutes.
  private static let longestNotBefore = RetryLadder.longestWait / .seconds(1) + 300
}
