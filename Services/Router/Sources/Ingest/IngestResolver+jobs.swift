import Foundation
import NotificationModel
import NotificationQueue
import Rules

/// What is routed, before it is known who the audience is.
extension IngestResolver {
  /// - Parameter send: What has come due, of a request that had to wait.
  func job(
    _ id: RequestID,
    _ request: SendRequest,
    _ type: NotificationType,
    owner: RequestOwner,
    dueWith send: ScheduledSend? = nil
  ) -> AudienceJob {
    let createdAt = send?.at ?? creation(id)
    let (title, body) = (request.title, request.body)
    var data = request.data
    var literals = request.literals
    var wording: Wording?
    var text: NotificationTemplate.Text?
    if let facts = send?.facts, !facts.isEmpty {
      let worded = request.wording(with: facts, in: catalogue)
      text = type.template.text(of: worded)
      data.merge(facts) { $1 }
      literals.subtract(facts.keys)
      wording = worded.dependsOnReader(type) ? worded : nil
    } else if type.dependsOnReader(title: title, body: body) {
      wording = Wording(title: title, body: body, data: data)
    }
    let content = NotificationContent(
      type: type,
      // The decoder has seen that there is all that the templates need.
      text: text ?? type.template.render(title: title, body: body, data: data),
      data: type.carried(of: data),
      literals: literals,
      relatedEntityType: request.relatedEntityType,
      relatedEntityId: request.relatedEntityID,
      collapseKey: request.collapseKey,
      createdAt: createdAt,
      expiresAt: request.expiresAt ?? createdAt + TimeInterval(type.timeToLive)
    )
    let order = RoutingOrder(
      requestId: id,
      content: content,
      wording: wording,
      channels: request.channels,
      recipients: [],
      digestKey: type.digest?.key?.key(data),
      throttleKey: type.throttle?.key?.key(data),
      at: send?.at,
      isSilent: request.isSilent,
      date: send?.date,
      owner: owner
    )
    return AudienceJob(
      type: type,
      order: order,
      audience: request.audience,
      zones: send?.zones,
      catalogueVersion: catalogueVersion
    )
  }

  func job(_ notice: NoticeRequest, _ type: NotificationType) -> AudienceJob {
    let createdAt = creation(notice.requestId)
    let wording = Wording(data: notice.data)
    let plain = notice.data.mapValues(\.unformatted)
    let content = NotificationContent(
      type: type,
      text: NotificationTemplate.Text(title: "", body: ""),
      data: type.carried(of: plain),
      literals: notice.literals,
      relatedEntityType: notice.relatedEntityType,
      relatedEntityId: notice.relatedEntityId,
      collapseKey: nil,
      createdAt: createdAt,
      expiresAt: createdAt + TimeInterval(type.timeToLive)
    )
    let order = RoutingOrder(
      requestId: notice.requestId,
      // The decoder has seen that there is all that the templates need.
      content: content.worded(wording, as: type, for: Wording.Reader(locale: nil)) ?? content,
      wording: wording.dependsOnReader(type) ? wording : nil,
      channels: nil,
      recipients: [],
      digestKey: type.digest?.key?.key(plain),
      throttleKey: type.throttle?.key?.key(plain)
    )
    return AudienceJob(type: type, order: order, audience: notice.audience, catalogueVersion: catalogueVersion)
  }

  /// An id from the future is another clock's: what it names has been accepted by now, and an erasure from now on is later.
  private func creation(_ id: RequestID) -> Date { id.time.map { min($0, now) } ?? now }
}
