public import NotificationModel
public import Postgres

/// Registrations that are taken back. The rows go: a token is a secret that nobody needs any more.
extension DeviceStore {
  /// - Returns: Whether the user had that device.
  public func remove(_ device: DeviceID, of user: UserID) async throws(PostgresError) -> Bool {
    try await !client.query(Self.removal(of: device, of: user)).isEmpty
  }

  /// Removes the device with this address, if it is the user's, and the others of its installation: else these would get the pushes.
  public func remove(token: String, of user: UserID) async throws(PostgresError) {
    try await remove(tokens: [token], of: user)
  }

  /// The same of an address with several forms.
  public func remove(tokens: [String], of user: UserID) async throws(PostgresError) {
    _ = try await client.query(Self.removal(tokens: tokens, of: user))
  }

  static func removal(of device: DeviceID, of user: UserID) -> SQLQuery {
    "DELETE FROM devices WHERE user_id = \(user) AND id = \(device) RETURNING id"
  }

  /// With a token goes the installation id of FCM that has replaced it.
  static func removal(tokens: [String], of user: UserID) -> SQLQuery {
    """
    DELETE FROM devices WHERE user_id = \(user) AND (token = ANY (\(tokens))
      OR address_kind = 2 AND token = ANY (\(tokens.compactMap { beginning(of: $0) }))
      OR installation IN (SELECT installation FROM devices WHERE token = ANY (\(tokens)) AND user_id = \(user)))
    """
  }
}
