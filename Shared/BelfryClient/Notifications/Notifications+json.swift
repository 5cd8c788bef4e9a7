import Foundation
package import BelfryJSON

extension BelfryNotification {
  /// Reads a notification of REST or the hub; nil for what is none. A member of another type than expected counts as absent.
  package init?(_ json: JSONValue) {
    guard let id = json.uuid("id") else { return nil }
    var related: RelatedEntity?
    if let type = json["relatedEntityType"]?.string, let id = json["relatedEntityId"]?.string {
      related = RelatedEntity(type: type, id: id)
    }
    self.init(
      id: id,
      seq: json["seq"]?.count.map(Int64.init),
      type: json["type"]?.integer ?? 0,
      typeName: json["typeName"]?.string ?? "Unknown",
      category: json["category"]?.string,
      title: json["title"]?.string ?? "",
      body: json["body"]?.string ?? "",
      data: json["data"]?.string,
      dataObject: json["dataObject"].flatMap { $0.members == nil ? nil : JSONWriter.text($0) },
      priority: json["priority"]?.string,
      createdAt: json.date("createdAt") ?? Date(timeIntervalSince1970: 0),
      timeAgo: json["timeAgo"]?.string ?? "",
      relatedEntity: related,
      actions: (json["actions"]?.array ?? []).compactMap(BelfryAction.init),
      isRead: json["isRead"]?.boolean ?? false,
      readAt: json.date("readAt"),
      seenAt: json.date("seenAt"),
      openedAt: json.date("openedAt"),
      archivedAt: json.date("archivedAt"),
      snoozedUntil: json.date("snoozedUntil")
    )
  }
}

extension BelfryAction {
  init?(_ json: JSONValue) {
    guard let id = json["id"]?.string else { return nil }
    self.init(id: id, title: json["title"]?.string ?? id)
  }
}

extension NotificationPage {
  /// Nil for what is no page; notifications that are none are left out.
  package init?(_ json: JSONValue) {
    guard let notifications = json["notifications"]?.array else { return nil }
    self.init(
      notifications: notifications.compactMap(BelfryNotification.init),
      unreadCount: json["unreadCount"]?.count,
      totalCount: json["totalCount"]?.count,
      hasMore: json["hasMore"]?.boolean ?? false
    )
  }
}

extension NotificationChanges {
  package init?(_ json: JSONValue) {
    guard let notifications = json["notifications"]?.array, let changed = json["changed"]?.array,
      let deleted = json["deleted"]?.array
    else { return nil }
    self.init(
      notifications: notifications.compactMap(BelfryNotification.init),
      seq: Int64(json["seq"]?.count ?? 0),
      unreadCount: json["unreadCount"]?.count,
      hasMore: json["hasMore"]?.boolean ?? false,
      changed: changed.compactMap(BelfryNotification.init),
      deleted: deleted.compactMap { $0.string.flatMap(UUID.init(uuidString:)) },
      change: Int64(json["change"]?.count ?? 0),
      isComplete: json["isComplete"]?.boolean ?? false
    )
  }
}

extension JSONValue {
  /// A whole number from 0 that can be counted on: up to 2^53, as for clients in JavaScript.
  var count: Int? { integer.flatMap { (0...(1 << 53)).contains($0) ? $0 : nil } }

  func uuid(_ name: String) -> UUID? { self[name]?.string.flatMap(UUID.init(uuidString:)) }

  func date(_ name: String) -> Date? { self[name]?.string.flatMap(WireDate.parse) }
}
