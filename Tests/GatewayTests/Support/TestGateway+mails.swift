import Foundation
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

extension TestGateway {
  /// A mail that was delivered to somebody who has this address.
  ///
  /// - Parameter isRecorded: Whether its outcome is written down.
  func mail(
    to address: String,
    providerID: String? = nil,
    isRecorded: Bool = true
  ) async throws -> (user: UserID, notification: NotificationID) {
    let user = UserID(UUID())
    let profile = UserStore.Profile(email: address, displayName: nil, locale: nil, timezone: nil, isEnabled: nil)
    _ = try await UserStore(client: database).put(profile, of: user)
    let id = try #require(try await store(1, for: user).first)
    guard isRecorded else { return (user, id) }
    try await DeliveryStore(client: database).record([
      DeliveryStore.Record(
        userID: user,
        notificationID: id,
        channel: .email,
        target: address,
        outcome: .delivered,
        providerID: providerID ?? "\(id)@example.com",
        attempts: 1,
        type: 10
      )
    ])
    return (user, id)
  }

  /// The addresses that get no mail any more.
  func suppressed() async throws -> [String] {
    var addresses: [String] = []
    for row in try await database.query("SELECT email FROM users WHERE email_status = 1 ORDER BY 1") {
      addresses.append(try row.get(0))
    }
    return addresses
  }
}
