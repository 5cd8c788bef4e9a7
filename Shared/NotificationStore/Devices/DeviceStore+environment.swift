public import NotificationModel
public import Postgres

/// What APNs says of a device beside whether it is there.
extension DeviceStore {
  /// Stores in which environment of APNs a device's token is valid, unless it has another token by now.
  public func move(
    _ device: DeviceID,
    of user: UserID,
    token: String,
    to environment: APNsAddress.Environment
  ) async throws(PostgresError) {
    _ = try await client.query(Self.moving(device, of: user, token: token, to: environment))
  }

  static func moving(
    _ device: DeviceID,
    of user: UserID,
    token: String,
    to environment: APNsAddress.Environment
  ) -> SQLQuery {
    """
    UPDATE devices SET apns_environment = \(environment.rawValue)
    WHERE user_id = \(user) AND id = \(device) AND token = \(token)
    """
  }
}
