package import Foundation

/// LifeSignal, the notification stream: what its client reads, lines 19 to 48.
///
/// The specification reads from Firestore. From Belfry the same comes as a notification, whose `data` has the ids.
package enum LifeSignal {
  package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: json)
  }

  /// Lines 19 to 34, without the types that are named there and given nowhere.
  package struct NotificationData: Identifiable, Equatable, Sendable {
    package let id: String
    package let type: NotificationType
    package let title: String
    package let message: String
    package let timestamp: Date
    package var isRead: Bool
    package let relatedContactID: String?
    package let relatedAlertID: String?
    package let relatedPingID: String?
  }

  /// Lines 40 to 48. The names are the filters on its screen, and categories of Belfry's.
  package enum NotificationType: String, CaseIterable, Equatable, Sendable {
    case all = "All"
    case alert = "Alerts"
    case ping = "Pings"
    case role = "Roles"
    case removed = "Removed"
    case added = "Added"
    case checkIn = "Check-Ins"
  }

  /// What its stream yields at a time.
  package struct History: Decodable {
    package let notifications: [NotificationData]
    package let unreadCount: Int
  }
}

extension LifeSignal.NotificationData: Decodable {
  private enum Member: String, CodingKey {
    case id, category, title, body, createdAt, isRead, data
  }

  private struct Related: Decodable {
    var contactId: String?
    var alertId: String?
    var pingId: String?
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    id = try members.decode(String.self, forKey: .id)
    let category = try members.decode(String.self, forKey: .category)
    guard let type = LifeSignal.NotificationType(rawValue: category), type != .all else {
      throw DecodingError.dataCorruptedError(
        forKey: .category,
        in: members,
        debugDescription: "no filter has this name"
      )
    }
    self.type = type
    title = try members.decode(String.self, forKey: .title)
    message = try members.decode(String.self, forKey: .body)
    timestamp = try members.decode(Date.self, forKey: .createdAt)
    isRead = try members.decode(Bool.self, forKey: .isRead)
    let data = try members.decodeIfPresent(String.self, forKey: .data)
    let related = try data.map { try JSONDecoder().decode(Related.self, from: Data($0.utf8)) }
    relatedContactID = related?.contactId
    relatedAlertID = related?.alertId
    relatedPingID = related?.pingId
  }
}
