public import Foundation
public import JSON
public import NotificationModel

extension InboxItem {
  /// The notification as it is told to its recipient.
  ///
  /// - Parameters:
  ///   - catalogue: Knows the type.
  ///   - locale: Its recipient's, for buttons; see ``InboxStore/locale(of:catalogue:)``.
  public func dto(_ catalogue: Catalogue, locale: String?) -> NotificationDTO {
    let known = catalogue.type(.code(type))
    return NotificationDTO(
      own: .init(id: id, seq: seq, readAt: readAt),
      shared: .init(
        type: type,
        typeName: known?.name ?? "Unknown",
        category: known?.category,
        actions: catalogue.actions(of: type, locale: locale),
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
  ///   - catalogue: Knows the type.
  ///   - locale: Its recipient's.
  ///   - now: What `timeAgo` counts to.
  public func write(to writer: inout JSONWriter, catalogue: Catalogue, locale: String?, now: Date) {
    writer.value(dto(catalogue, locale: locale).json(now: now))
  }
}
