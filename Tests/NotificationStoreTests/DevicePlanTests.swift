import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What the planner makes of the statements about one device, at a million of them.
struct DevicePlanTests {
  private static let user = MillionRows.heavy
  private static let device = DeviceID(user.uuid)

  private static let filled = DatabaseContents("devices") { client in
    try await client.fill(
      "devices",
      """
      INSERT INTO devices (user_id, id, token, platform)
      SELECT CASE WHEN n <= 20 THEN \(user) ELSE md5((n / 3)::text)::uuid END,
        CASE WHEN n = 1 THEN \(device) ELSE gen_random_uuid() END, 'token ' || n, 2
      FROM generate_series(1, 1000000) AS n
      """
    )
  }

  @Test(arguments: [true, false])
  func `a device is found by an index, by its id and by its token`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let (user, device) = (Self.user, Self.device)
      let (owner, id) = ("'\(user)'", "'\(device)'")
      let statements: [(SQLQuery, types: [String], arguments: [String])] = [
        (DeviceStore.permissions(of: device, of: user), ["uuid", "uuid"], [owner, id]),
        (
          DeviceStore.settingPermission(.granted, told: 2, of: device, of: user), ["int2", "int2", "uuid", "uuid"],
          ["2", "2", owner, id]
        ),
        (DeviceStore.devices([user], [device]), ["uuid[]", "uuid[]"], ["'{\(user)}'", "'{\(device)}'"]),
        (DeviceStore.removal(of: device, of: user), ["uuid", "uuid"], [owner, id]),
      ]
      for (statement, types, arguments) in statements {
        let plan = try await QueryPlan.of(
          statement,
          types: types,
          arguments: arguments,
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        let reads = plan.reads(of: "devices")
        #expect(reads.count == 1 && reads.allSatisfy { $0.index != nil }, "\(plan)")
        #expect(reads.allSatisfy { $0.rowsRead <= 20 }, "\(plan)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `what belongs to an address is found by an index`(isGeneric: Bool) async throws {
    try await TestDatabase.with(Self.filled) { client in
      let user = Self.user
      let owner = "'\(user)'"
      let fid = DeviceStore.Registration(token: "token 2", platform: .android, kind: .installation)
      let token = DeviceStore.Registration.sample("token 2:x")
      let statements: [(SQLQuery, types: [String], arguments: [String])] = [
        (
          DeviceStore.lockOwners(of: .sample("token 2"), and: user), ["uuid", "text", "text"],
          [owner, "'token 2'", "'token 2'"]
        ),
        (
          DeviceStore.lockOwners(of: fid, and: user), ["uuid", "text", "text"], [owner, "'token 2'", "'token 2'"]
        ),
        (
          try #require(DeviceStore.superseding(by: fid, of: user)), ["text", "text", "uuid"],
          ["'token 2'", "'token 2'", owner]
        ),
        (
          try #require(DeviceStore.superseding(by: token, of: user)), ["text", "uuid", "text", "uuid"],
          ["'token 2'", owner, "'token 2:x'", owner]
        ),
        (
          DeviceStore.removal(tokens: ["token 2"], of: user), ["uuid", "text[]", "text[]", "text[]", "uuid"],
          [owner, "'{token 2}'", "'{}'", "'{token 2}'", owner]
        ),
      ]
      for (statement, types, arguments) in statements {
        let plan = try await QueryPlan.of(
          statement,
          types: types,
          arguments: arguments,
          isGeneric: isGeneric,
          isRun: true,
          client
        )
        let reads = plan.reads(of: "devices")
        #expect(!reads.isEmpty && !reads.contains { $0.type == "Seq Scan" }, "\(plan)")
        #expect(reads.allSatisfy { $0.rowsRead <= 20 }, "\(plan)")
      }
    }
  }
}
