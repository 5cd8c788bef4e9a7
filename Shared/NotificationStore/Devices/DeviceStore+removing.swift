public import NotificationModel
public import Postgres

/// Registrations that are taken back. The rows go: a token is a secret that nobody needs any more.
extension DeviceStore {
  /// - Returns: Whether the user had that device.
  public func remove(_ device: DeviceID, of user: UserID) async throws(PostgresError) -> Bool {
    try await !client.query(Self.removal(of: device, of: user)).isEmpty
  }

  /// Removes the device with this token, if it is the user's.
  public func remove(token: String, of user: UserID) async throws(PostgresError) {
    _ = try await client.query(Self.removal(token: token, of: user))
  }

  static func removal(of device: DeviceID, of user: UserID) -> SQLQuery {
    "DELETE FROM devices WHERE user_id = \(user) AND id = \(device) RETURNING id"
  }

  static func removal(token: String, of user: UserID) -> SQLQuery {
    "DELETE FROM devices WHERE token = \(token) AND user_id = \(user)"
  }
}
