public import Foundation
public import NotificationModel
import Postgres

/// What users answered when the system asked them whether notifications may be shown.
extension DeviceStore {
  /// Writes down an answer. The first time that a device has it, the statistics count it: on the channel push, of no type.
  ///
  /// - Returns: Whether the user has that device.
  public func setPermission(
    _ permission: DevicePermission,
    of device: DeviceID,
    of user: UserID,
    at now: Date
  ) async throws -> Bool {
    try await client.withTransaction { transaction in
      let former = try await transaction.query(Self.permissions(of: device, of: user))
      guard let row = former.first else { return false }
      let (current, told): (Int, Int) = (try row.get("permission"), try row.get("permission_told"))
      let bit = 1 << (permission.rawValue - 1)
      let isFirst = told & bit == 0
      // Apps may say it at each start.
      guard isFirst || current != permission.rawValue else { return true }
      var statements = [Self.settingPermission(permission, told: told | bit, of: device, of: user)]
      if isFirst { statements.append(StatStore.tally([Self.tally(permission, at: now)])) }
      _ = try await transaction.queries(statements)
      return true
    }
  }

  /// One at a time: who counts an answer has to know whether it was counted.
  static func permissions(of device: DeviceID, of user: UserID) -> SQLQuery {
    """
    SELECT permission, permission_told FROM devices WHERE user_id = \(user) AND id = \(device) FOR NO KEY UPDATE
    """
  }

  static func settingPermission(
    _ permission: DevicePermission,
    told: Int,
    of device: DeviceID,
    of user: UserID
  ) -> SQLQuery {
    """
    UPDATE devices SET permission = \(Int16(permission.rawValue)), permission_told = \(Int16(truncatingIfNeeded: told))
    WHERE user_id = \(user) AND id = \(device)
    """
  }

  private static func tally(_ permission: DevicePermission, at now: Date) -> StatStore.Tally {
    var counts = StatStore.Counts()
    switch permission {
    case .requested: counts.asked = 1
    case .granted: counts.granted = 1
    case .denied: counts.denied = 1
    }
    return StatStore.Tally(at: now, type: StatStore.noType, channel: .push, counts: counts)
  }
}
