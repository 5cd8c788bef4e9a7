import NotificationModel
import Synchronization

/// By which the simulator's push services know the people's phones and browsers. A browser has another address each time it
/// subscribes.
final class DemoAddresses: Sendable {
  private let endpoints = Mutex<[String: String]>([:])

  /// Empty for a browser that has not subscribed.
  subscript(person: DemoPerson) -> String {
    switch person.carrier {
    case .fcm: person.deviceToken
    case .apns: person.nativeToken
    case .webPush: endpoints.withLock { $0[person.id] ?? "" }
    }
  }

  func subscribed(_ person: DemoPerson, at endpoint: String) {
    endpoints.withLock { $0[person.id] = endpoint }
  }
}
