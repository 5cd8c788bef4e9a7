public import Foundation
public import BelfryJSON
public import NotificationModel

extension InboxItem {
  /// The notification as it is shown to its recipient.
  ///
  /// - Parameters:
  ///   - catalogue: Knows the type.
  ///   - locale: Its recipient's, for buttons; see ``InboxStore/locale(of:catalogue:)``.
  public func dto(_ catalogue: Catalogue, locale: String?) -> NotificationDTO {
    NotificationDTO(own: own, shared: .init(content(catalogue, locale: locale), catalogue: catalogue))
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

  /// What it says, as messages to open connections carry it.
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
      literals: literals,
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
