public import Foundation

/// What a notification service extension adds to a push before it is shown. Pure.
public struct PushContent: Sendable, Equatable {
  /// The image beside the text: `imageUrl` of the data, by HTTPS.
  public let image: URL?
  /// What belongs together stands together: the push's own, else the related entity, as Belfry names it to APNs. FCM's pushes have none.
  public let threadIdentifier: String?
  /// The number on the app's icon; nil leaves it as it is.
  public let badge: Int?
  /// To be reported by ``RESTClient/reportDisplayed(receipt:)``.
  public let receipt: String?

  /// Nil for what is no push of Belfry's.
  public init?(userInfo: [AnyHashable: Any]) {
    guard let route = PushRoute(userInfo: userInfo) else { return nil }
    let aps = userInfo["aps"] as? [AnyHashable: Any]
    image = route.data["imageUrl"].flatMap(Self.image)
    let related = route.relatedEntity.map { "\($0.type):\($0.id)" }
    threadIdentifier = (aps?["thread-id"] as? String).flatMap { $0.isEmpty ? nil : $0 } ?? related
    badge = (aps?["badge"] as? Int).flatMap { $0 >= 0 ? $0 : nil }
    receipt = route.receipt
  }

  /// An address that an extension may read: it is the sender's, who can put there what a user wrote.
  private static func image(_ text: String) -> URL? {
    guard text.utf8.count <= 2_048, let url = URL(string: text), url.scheme?.lowercased() == "https",
      let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil
    else { return nil }
    return url
  }
}

extension BelfryClient {
  /// How long an extension works on a push at most.
  private static let patience = Duration.seconds(10)

  /// Reports that a push was displayed, and reads its image meanwhile; nil without one. Returns within ten seconds, and throws nothing: the
  /// push is shown whatever fails.
  public nonisolated func prepare(_ push: PushContent) async -> PushImage? {
    let (rest, configuration) = (rest, configuration)
    async let report: Void = {
      guard let receipt = push.receipt else { return }
      try? await within(Self.patience, of: configuration.clock) { try await rest.reportDisplayed(receipt: receipt) }
    }()
    var image: PushImage?
    if let url = push.image {
      image = try? await PushImage.load(
        url,
        by: configuration.http,
        limit: Self.patience,
        clock: configuration.clock
      )
    }
    await report
    return image
  }

  /// The same, blocking the thread: for `UNNotificationServiceExtension`, which gets objects that no other thread may have. Never in a task.
  @available(*, noasync)
  public nonisolated func prepareAndWait(_ push: PushContent) -> PushImage? {
    waiting(nil) { await self.prepare(push) }
  }
}
