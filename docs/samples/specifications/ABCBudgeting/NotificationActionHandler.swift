import BelfryClient
import Foundation

#if canImport(UIKit)
  import UserNotifications
#else
  import AppleDeclarations
#endif

@MainActor
enum NotificationActionHandler {
  /// Of the signed-in user: gets a report of each notification that was opened, and of each button that was used.
  static var client: BelfryClient?

  static func handleNotificationAction(_ response: UNNotificationResponse) {
    let userInfo = response.notification.request.content.userInfo
    switch response.actionIdentifier {
    case "VIEW_TRANSACTIONS": NotificationCenter.default.post(name: .navigateToTransactions, object: nil)
    case "VIEW_GOALS": NotificationCenter.default.post(name: .navigateToGoals, object: nil)
    case "ADD_TRANSACTION": NotificationCenter.default.post(name: .navigateToAddTransaction, object: nil)
    case "VIEW_OVERVIEW": NotificationCenter.default.post(name: .navigateToOverview, object: nil)
    default: break
    }
    guard let id = (userInfo["notificationId"] as? String).flatMap(UUID.init(uuidString:)), let client else { return }
    let action = response.actionIdentifier
    Task {
      // A tap beside the buttons opens the notification.
      if action == UNNotificationDefaultActionIdentifier {
        await client.opened(id)
      } else {
        await client.perform(action, of: id)
      }
    }
  }
}

extension Notification.Name {
  static let navigateToTransactions = Notification.Name("navigateToTransactions")
  static let navigateToGoals = Notification.Name("navigateToGoals")
  static let navigateToAddTransaction = Notification.Name("navigateToAddTransaction")
  static let navigateToOverview = Notification.Name("navigateToOverview")
}
