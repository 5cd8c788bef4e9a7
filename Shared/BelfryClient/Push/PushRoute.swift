public import Foundation

/// Where a tap on a push leads.
///
/// It reads what Belfry's pushes carry by FCM and by APNs alike: members of `userInfo` beside `aps`, all of them texts.
public struct PushRoute: Sendable, Hashable {
  public enum Action: Sendable, Hashable {
    case open
    case dismiss
    /// A button of the type's ``PushCategory``.
    case button(BelfryAction.ID)
  }

  /// `UNNotificationDefaultActionIdentifier`, `UNNotificationDismissActionIdentifier`.
  static let (openIdentifier, dismissIdentifier) = (
    "com.apple.UNNotificationDefaultActionIdentifier", "com.apple.UNNotificationDismissActionIdentifier"
  )
  /// A push has 4 KB.
  private static let (maximumMembers, maximumText) = (64, 4_096)

  /// Nil for a push to a topic, which is in nobody's inbox.
  public let notification: BelfryNotification.ID?
  /// The code of its type.
  public let type: Int
  public let action: Action
  public let relatedEntity: RelatedEntity?
  /// With which the push is reported; nil where the deployment has no receipts.
  public let receipt: String?
  /// What the sender gave, by its names.
  public let data: [String: String]

  /// Nil for what is no push of Belfry's.
  ///
  /// - Parameters:
  ///   - userInfo: Of the notification's content.
  ///   - actionIdentifier: Of the response; nil where there was no tap.
  public init?(userInfo: [AnyHashable: Any], actionIdentifier: String? = nil) {
    guard let type = Self.text(userInfo["type"]).flatMap({ Int($0) }) else { return nil }
    self.type = type
    notification = Self.text(userInfo["notificationId"]).flatMap(UUID.init(uuidString:))
    receipt = Self.text(userInfo["receipt"])
    switch actionIdentifier {
    case nil, Self.openIdentifier: action = .open
    case Self.dismissIdentifier: action = .dismiss
    case let identifier?: action = .button(identifier)
    }
    if let type = Self.text(userInfo["relatedEntityType"]), let id = Self.text(userInfo["relatedEntityId"]) {
      relatedEntity = RelatedEntity(type: type, id: id)
    } else {
      relatedEntity = nil
    }
    var data: [String: String] = [:]
    for (name, value) in userInfo where data.count < Self.maximumMembers {
      if let name = name as? String, !Self.isOwn(name), let text = Self.text(value) { data[name] = text }
    }
    self.data = data
  }

  /// Which conversation it is about: `conversationId` of the data, else a related entity of the type `conversation`.
  public var conversationId: String? {
    if let id = data["conversationId"], !id.isEmpty { return id }
    return relatedEntity.flatMap { $0.type.lowercased() == "conversation" ? $0.id : nil }
  }

  /// `deepLink` of the data, if it is an address with a scheme. The app decides which schemes and hosts it follows.
  public var deepLink: URL? {
    data["deepLink"].flatMap { $0.utf8.count <= 2_048 ? URL(string: $0) : nil }
      .flatMap { $0.scheme == nil ? nil : $0 }
  }

  private static func text(_ value: Any?) -> String? {
    guard let text = value as? String, text.utf8.count <= maximumText else { return nil }
    return text
  }

  /// Belfry's, Apple's and Firebase's own members.
  private static func isOwn(_ name: String) -> Bool {
    switch name {
    case "aps", "notificationId", "type", "receipt", "relatedEntityType", "relatedEntityId": true
    default: name.hasPrefix("gcm.") || name.hasPrefix("google.")
    }
  }
}

extension BelfryClient {
  /// Reports what the user did with a push: that it was opened, or that a button was used. A dismissal is not reported.
  ///
  /// By its receipt, which needs no token, if it has one. Else, and if that fails, by the inbox, which tries until it is taken. Reported
  /// twice it counts once.
  public func report(_ route: PushRoute) async {
    let button: BelfryAction.ID?
    switch route.action {
    case .dismiss: return
    case .open: button = nil
    case .button(let id): button = id
    }
    if let receipt = route.receipt {
      do {
        return try await rest.reportOpened(receipt: receipt, action: button)
      } catch {
        // Below; without an id there is nothing else to report it by.
        if route.notification == nil { session.outlets.errors.send(error as? BelfryError ?? BelfryError(.unavailable)) }
      }
    }
    guard let id = route.notification else { return }
    if let button { await perform(button, of: id) } else { await opened(id) }
  }

  /// Whether a push is to be shown while the app is in front: not if it is about what is on the screen.
  public func isToBeShown(_ route: PushRoute) async -> Bool {
    guard let entity = route.relatedEntity else { return true }
    return await session.viewing != entity
  }
}
