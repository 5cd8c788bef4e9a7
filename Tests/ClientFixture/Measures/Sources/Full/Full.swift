import BelfryClient
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The same app with an inbox, preferences and devices.
@main
@MainActor
struct Full {
  static func main() async throws {
    guard let url = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
      return print("usage: URL")
    }
    let (data, _) = try await URLSession.shared.data(from: url)
    print(try JSONSerialization.jsonObject(with: data))

    let client = BelfryClient(BelfryConfiguration(gateway: url, cacheDirectory: .temporaryDirectory)) { _ in "token" }
    let inbox = NotificationCenterModel(client)
    let preferences = PreferencesModel(client)
    let devices = DevicesModel(client)
    await client.connect()
    await inbox.loadMore()
    await preferences.load()
    await devices.load()
    for await received in client.notifications {
      await inbox.markAsRead(received.notification.id)
      print(inbox.notifications.count, preferences, devices, received.notification.title)
    }
  }
}
