public import NotificationModel
public import Postgres

/// Devices behind the targets of deliveries, for operators.
extension DeviceStore {
  /// Those that are still registered. A target that is no device's id, such as a mail address, is none.
  public func devices(
    at targets: [(user: UserID, target: String)]
  ) async throws(PostgresError) -> [String: RegisteredDevice] {
    var (users, ids): ([UserID], [DeviceID]) = ([], [])
    for (user, target) in targets {
      guard let id = DeviceID(target) else { continue }
      users.append(user)
      ids.append(id)
    }
    guard !ids.isEmpty else { return [:] }
    var devices: [String: RegisteredDevice] = [:]
    for row in try await client.query(Self.devices(users, ids)) {
      let device = try RegisteredDevice(row)
      devices[device.id.description] = device
    }
    return devices
  }

  static func devices(_ users: [UserID], _ ids: [DeviceID]) -> SQLQuery {
    """
    SELECT d.* FROM (SELECT DISTINCT * FROM unnest(\(users), \(ids)) AS t(user_id, device)) k
      CROSS JOIN LATERAL (
        SELECT \(unescaped: shownColumns) FROM devices WHERE user_id = k.user_id AND id = k.device OFFSET 0
      ) d
    """
  }
}
