public import Foundation
public import JSON
public import NotificationModel

extension InboxItem {
  /// The notification as it is told to its recipient.
  ///
  /// - Parameter catalogue: Names the type.
  public func dto(_ catalogue: Catalogue) -> NotificationDTO {
    NotificationDTO(
      own: .init(id: id, seq: seq, readAt: readAt),
      shared: .init(
        type: type,
        typeName: catalogue.type(.code(type))?.name ?? "Unknown",
        title: title,
        body: body,
        data: data,
        relatedEntityType: relatedEntityType,
        relatedEntityId: relatedEntityID,
        createdAt: createdAt
      )
    )
  }

  /// Writes `NotificationDto`.
  ///
  /// - Parameters:
  ///   - catalogue: Names the type.
  ///   - now: What `timeAgo` counts to.
  public func write(to writer: inout JSONWriter, catalogue: Catalogue, now: Date) {
    writer.value(dto(catalogue).json(now: now))
  }
}
