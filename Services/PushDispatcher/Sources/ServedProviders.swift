import NotificationModel
import NotificationQueue

/// The providers that this dispatcher reaches. A device is its platform's provider's: of several, the first that serves it.
struct ServedProviders: Sendable {
  private let providers: [any PushProvider]
  private let places: [DevicePlatform: Int]

  init(_ providers: [any PushProvider]) {
    self.providers = providers
    places = providers.enumerated().reduce(into: [:]) { places, item in
      for platform in item.element.platforms where places[platform] == nil { places[platform] = item.offset }
    }
  }

  /// Pushes at once to each.
  var concurrencies: [Int] { providers.map(\.concurrency) }

  /// Which of them serves a target; nil if none does: its platform is another version's, or not served here.
  func place(of target: DispatchMessage.Target) -> Int? {
    target.platform.flatMap(DevicePlatform.init(rawValue:)).flatMap { places[$0] }
  }

  /// The one that serves a target; nil if none does.
  func provider(of target: DispatchMessage.Target) -> (any PushProvider)? {
    place(of: target).map { providers[$0] }
  }
}
