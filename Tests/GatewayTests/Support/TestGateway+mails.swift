import Foundation
import NotificationModel
import NotificationStore
import Testing

@testable import Gateway

extension TestGateway {
  /// A mail that was delivered to somebody who has this address.
  ///
  /// - Parameters:
  ///   - user: Whose profile has this address from now on.
  ///   - isRecorded: Whether its outcome is written down.
  func mail(
    to address: String,
    of user: UserID = UserID(UUID()),
    providerID: String? = nil,
    isRecorded: Bool = true
  ) async throws -> (user: UserID, notification: NotificationID) {
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
  func suppressed(_ reason: SuppressionReason = .hardBounce) async throws -> [String] {
    let store = SuppressionStore(client: database)
    return try await store.list(reason: reason, limit: 100).suppressions.map(\.address).sorted()
  }
}
