import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// What waits for its time.
extension IngestProcessor {
  /// The request as a send that waits; nil if it is told at once.
  static func waitingSend(
    _ id: RequestID,
    _ request: SendRequest,
    _ message: BrokerMessage
  ) -> ScheduleStore.WaitingSend? {
    guard let time = id.time, let sendAt = request.waits(since: time) else { return nil }
    let body = String(decoding: message.body, as: UTF8.self)
    return ScheduleStore.WaitingSend(id: id, owner: message.owner ?? "", definition: body, sendAt: sendAt)
  }

  /// Why a request cannot wait as long as it asks for.
  static func tooFar(_ request: SendRequest, _ id: RequestID) -> String? {
    guard let time = id.time else { return nil }
    do throws(ValidationError) {
      try request.checkTime(since: time)
      return nil
    } catch {
      return "invalid: \(error)"
    }
  }
}
