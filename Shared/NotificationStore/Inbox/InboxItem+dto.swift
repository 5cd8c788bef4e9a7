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
      own: own,
      shared: .init(
        type: type,
        typeName: known?.name ?? NotificationContent.unknownType,
        category: known?.category,
        priority: known?.priority,
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

  /// What is its recipient's alone.
  public var own: NotificationDTO.Own {
    NotificationDTO.Own(
      id: id,
      seq: seq,
      readAt: readAt,
      seenAt: seenAt,
      openedAt: openedAt,
      archivedAt: archivedAt,
      snoozedUntil: snoozedUntil
    )
  }

  /// What it says, for open connections to be told again; the same to them as ``dto(_:locale:)``.
  ///
  /// - Parameters:
  ///   - catalogue: Knows the type.
  ///   - locale: Its recipient's, for buttons.
  public func content(_ catalogue: Catalogue, locale: String?) -> NotificationContent {
    NotificationContent(
      code: type,
      of: catalogue.type(.code(type)),
      text: .init(title: title, body: body),
      data: data,
      relatedEntityType: relatedEntityType,
      relatedEntityId: relatedEntityID,
      locale: locale,
      createdAt: createdAt,
      expiresAt: expiresAt
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
