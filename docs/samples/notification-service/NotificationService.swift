import BelfryClient
import Foundation

// Linux has no UserNotifications: tests compile this file there against declarations.
#if canImport(UserNotifications)
  import UserNotifications
#else
  import AppleDeclarations
#endif

/// Gives a push its image, badge and thread before it is shown, and reports that it was displayed.
///
/// The target is a notification service extension. iOS runs it for types with `mutableContent` in the catalogue, if the app is registered
/// with APNs itself. `BelfryGateway` in the extension's `Info.plist` is the gateway's address.
final class NotificationService: UNNotificationServiceExtension {
  private let client: BelfryClient?

  override convenience init() {
    let text = Bundle.main.object(forInfoDictionaryKey: "BelfryGateway") as? String
    self.init(text.flatMap { URL(string: $0) }.map { BelfryConfiguration(gateway: $0) })
  }

  /// - Parameter configuration: Nil: the push gets what needs no network.
  init(_ configuration: BelfryConfiguration?) {
    // A receipt is reported without a token, so the extension needs none of the user's.
    client = configuration.map { BelfryClient($0) { _ in "" } }
    super.init()
  }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let push = PushContent(userInfo: request.content.userInfo),
      let shown = request.content.mutableCopy() as? UNMutableNotificationContent
    else { return contentHandler(request.content) }
    if let badge = push.badge { shown.badge = NSNumber(value: badge) }
    if let thread = push.threadIdentifier { shown.threadIdentifier = thread }
    // iOS calls this on a thread of the extension's own, and gives it thirty seconds; this takes ten at most.
    if let image = client?.prepareAndWait(push), let file = try? image.write(),
      let attachment = try? UNNotificationAttachment(identifier: "image", url: file)
    {
      shown.attachments = [attachment]
    }
    contentHandler(shown)
  }
}
