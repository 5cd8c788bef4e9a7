import BelfryClient
import Foundation

struct NotificationData: Identifiable, Equatable, Sendable {
  let id: String
  let type: NotificationType
  let title: String
  let message: String
  let timestamp: Date
  var isRead: Bool
  let relatedContactID: String?
  let relatedAlertID: String?
  let relatedPingID: String?

  var alertData: AlertData?
  var pingData: PingData?
  var contactData: ContactData?
}

enum NotificationType: String, CaseIterable, Equatable, Sendable {
  case all = "All"
  case alert = "Alerts"
  case ping = "Pings"
  case role = "Roles"
  case removed = "Removed"
  case added = "Added"
  case checkIn = "Check-Ins"
}

// The specification names these three and leaves them open: here they have what Belfry's catalogue sends.

struct AlertData: Equatable, Sendable {
  let alertID: String
  let userName: String?
}

struct PingData: Equatable, Sendable {
  let pingID: String
  let userName: String?
}

struct ContactData: Equatable, Sendable {
  let contactID: String
  let name: String?
  let role: String?
}

extension NotificationData {
  private struct Payload: Decodable {
    var contactId: String?
    var alertId: String?
    var pingId: String?
    var userName: String?
    var contactName: String?
    var role: String?
  }

  /// The filters are Belfry's categories. A notification of another category is listed under All alone.
  init(_ notification: BelfryNotification) {
    let payload = (try? notification.payload(as: Payload.self)) ?? Payload()
    id = notification.id.uuidString.lowercased()
    type = notification.category.flatMap(NotificationType.init(rawValue:)) ?? .all
    title = notification.title
    message = notification.body
    timestamp = notification.createdAt
    isRead = notification.isRead
    relatedContactID = payload.contactId
    relatedAlertID = payload.alertId
    relatedPingID = payload.pingId
    alertData = payload.alertId.map { AlertData(alertID: $0, userName: payload.userName) }
    pingData = payload.pingId.map { PingData(pingID: $0, userName: payload.userName) }
    contactData = payload.contactId.map {
      ContactData(contactID: $0, name: payload.userName ?? payload.contactName, role: payload.role)
    }
  }
}
