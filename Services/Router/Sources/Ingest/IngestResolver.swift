import Broker
import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// Decides what is done about each message of a batch. Pure.
struct IngestResolver {
  /// What is done about a message, or what must be looked up before that is known.
  enum Resolution {
    case outcome(IngestOutcome)
    case keyed(KeyedSubmission)
  }

  let catalogue: Catalogue
  /// Age at which maintenance may have dropped the partition of a request's week.
  let retention: Duration
  let now: Date
  /// Which version the catalogue is; nil is a file.
  var catalogueVersion: Int?

  func resolve(_ item: IngestItem, from message: BrokerMessage) -> Resolution {
    switch item {
    case .submission(let submission, .known(let id)): .outcome(outcome(of: submission, as: id, from: message))
    case .submission(let submission, .keyed(let scope, let key)):
      .keyed(KeyedSubmission(submission: submission, scope: scope, key: key))
    case .submission(let submission, .anonymous): .outcome(.stamp(submission.kind))
    case .relay(let event): .outcome(.relay(event))
    case .notice(let notice, let type): .outcome(outcome(of: notice, type))
    case .scheduled(let send, let request, let type):
      .outcome(misplaced(send.at) ?? .route(job(send.requestId, request, type, owner: send.owner, dueWith: send)))
    case .order(let order, let type):
      .outcome(misplaced(order.at ?? order.requestId.time) ?? .routeOrder(RoutingJob(type: type, order: order)))
    case .unknown(let reason): .outcome(.postpone(reason: reason))
    case .refused(let reason): .outcome(.refuse(reason: reason))
    case .invalid(let reason): .outcome(.deadLetter(reason: reason))
    }
  }

  /// - Parameter entry: What the sender's key stands for.
  func outcome(
    of keyed: KeyedSubmission,
    as entry: IdempotencyStore.Entry,
    from message: BrokerMessage
  ) -> IngestOutcome {
    guard entry.isSameBody else {
      return .deadLetter(reason: "message-id '\(keyed.key)' was used before with another body")
    }
    return outcome(of: keyed.submission, as: entry.requestID, from: message)
  }

  func outcome(of notice: NoticeRequest, _ type: NotificationType) -> IngestOutcome {
    misplaced(notice.requestId.time) ?? .route(job(notice, type))
  }

  /// What is left to do about an event that the rules have evaluated.
  ///
  /// - Parameter refusal: Why it could not be; nil if it was.
  func outcome(of event: IdentifiedEvent, after refusal: RuleRefusal?, from message: BrokerMessage) -> IngestOutcome {
    if let refusal { return refused(refusal, message) }
    return event.relay.map { .relay($0) } ?? .finished
  }

  private func outcome(of submission: Submission, as id: RequestID, from message: BrokerMessage) -> IngestOutcome {
    switch submission {
    case .request(let request, let type):
      return misplaced(id.time) ?? tooFar(request, id) ?? scheduled(request, id, message)
        ?? .route(job(id, request, type, owner: message.owner))
    case .event(let event):
      do throws(RuleRefusal) {
        return .evaluate(IdentifiedEvent(event: try event.event(id), relay: event.relay))
      } catch {
        return refused(error, message)
      }
    }
  }

  /// What a gateway accepted by other rules than this router's waits for a router that has them; all else is its sender's
  /// mistake.
  private func refused(_ refusal: RuleRefusal, _ message: BrokerMessage) -> IngestOutcome {
    let reason = "invalid: \(refusal)"
    return IngestDecoder.isAccepted(message) ? .postpone(reason: reason) : .refuse(reason: reason)
  }

  /// Nil unless there need be no partition for a request, so that waiting for one would be in vain.
  private func misplaced(_ time: Date?) -> IngestOutcome? {
    guard let time else { return .deadLetter(reason: "invalid: the request's id has no time") }
    let isPlaced = time > now - retention / .seconds(1) && time < now + IngestDecoder.newest
    return isPlaced ? nil : .deadLetter(reason: "invalid: the request is of \(time.rfc3339), which is not kept")
  }

  /// Nil unless a request asks to wait longer than any may.
  private func tooFar(_ request: SendRequest, _ id: RequestID) -> IngestOutcome? {
    guard let time = id.time else { return nil }
    do throws(ValidationError) {
      try request.checkTime(since: time)
      return nil
    } catch {
      return .deadLetter(reason: "invalid: \(error)")
    }
  }

  /// Nil if the request is routed at once.
  private func scheduled(_ request: SendRequest, _ id: RequestID, _ message: BrokerMessage) -> IngestOutcome? {
    guard let time = id.time, let sendAt = request.waits(since: time) else { return nil }
    let body = String(decoding: request.stored(message.body), as: UTF8.self)
    return .schedule(
      ScheduleStore.WaitingSend(
        id: id,
        owner: message.owner,
        definition: body,
        sendAt: sendAt,
        catalogueVersion: catalogueVersion
      )
    )
  }
}
