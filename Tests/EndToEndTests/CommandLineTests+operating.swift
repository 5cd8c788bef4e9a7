import Foundation
import NotificationModel
import TestSupport
import Testing

/// What operators do by hand, against all of Belfry.
extension EndToEndTests.CommandLineTests {
  /// Runs a command that has to succeed.
  private func succeed(_ belfry: TestStack, _ arguments: String...) async throws -> String {
    let result = try await belfry.belfry(arguments)
    try #require(result.status == 0, "\(arguments): \(result.output)")
    return result.output
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func file(_ text: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "belfry-command-\(UUID()).txt").path
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  @Test func `a key is made, used and revoked`() async throws {
    try await TestStack.with { belfry in
      let made = try object(try await succeed(belfry, "keys", "make", "a shop", "--scope", "send", "--json"))
      let id = try #require(made["id"] as? String)
      let key = try #require(made["key"] as? String)
      let ann = try await belfry.makeUser(platforms: [])
      func send() async throws -> Answer {
        try await belfry.call(
          "POST",
          "/api/v1/notifications",
          headers: [(name: "X-Api-Key", value: key)],
          body: #"{"to":{"users":["\#(ann.id)"]},"type":12}"#
        )
      }
      _ = try await send().expect(202)
      let listed = try await succeed(belfry, "keys", "list", "--limit", "100")
      #expect(listed.contains("\(id)  a shop") && !listed.contains(key), "\(listed)")
      #expect(try await succeed(belfry, "keys", "revoke", id, "--yes") == "\(id) is revoked.\n")
      #expect(try await !succeed(belfry, "keys", "list", "--limit", "100").contains(id))
      try await eventually("the gateway has forgotten it", within: .seconds(60)) { try await send().status == 401 }
      let again = try await belfry.belfry(["keys", "revoke", id, "--yes"])
      #expect(again.status == 1 && again.output.contains("belfry keys list"), "\(again.output)")
    }
  }

  @Test func `a user is made, changed, put into a group, exported and erased`() async throws {
    try await TestStack.with { belfry in
      let id = UUID().uuidString.lowercased()
      let other = UUID().uuidString.lowercased()
      let set = try await succeed(belfry, "users", "set", id, "--email", "\(id)@example.org", "--name", "Ann")
      #expect(set.contains("displayName: Ann\n") && set.contains("notificationsEnabled: yes\n"), "\(set)")
      _ = try await succeed(belfry, "users", "patch", id, "--timezone", "Europe/Berlin", "--clear", "name")
      let shown = try await succeed(belfry, "users", "show", id)
      #expect(shown == "id: \(id)\nemail: \(id)@example.org\ntimezone: Europe/Berlin\nnotificationsEnabled: yes\n")

      let group = "family:\(id)"
      let members = try file("\(id)\n\(other) # no profile yet\n")
      defer { Cleanup.removeNow(members) }
      #expect(try await succeed(belfry, "groups", "put", group, members) == "\(group): 2 members\n")
      let listed = try await succeed(belfry, "groups", "members", group)
      #expect(listed.split(separator: "\n").map(String.init) == [id, other].sorted())
      _ = try await succeed(belfry, "groups", "remove", group, other)
      #expect(try await succeed(belfry, "groups", "show", group) == "\(group): 1 member\n  \(id)\n")

      let device = "token-\(id)"
      let token = try await belfry.token(try #require(UserID(id)))
      _ = try await belfry.call(
        "POST",
        "/api/v1/devices",
        token: token,
        body: #"{"token":"\#(device)","platform":2,"deviceName":"Pixel"}"#
      ).expect(200)
      let devices = try await succeed(belfry, "devices", id)
      #expect(devices.contains("Android") && devices.contains("Pixel") && !devices.contains(device), "\(devices)")
      let path = members + ".json"
      defer { Cleanup.removeNow(path) }
      _ = try await succeed(belfry, "export", id, "--output", path)
      let export = try String(contentsOfFile: path, encoding: .utf8)
      #expect(export.contains(device))
      #expect((try object(export)["profile"] as? [String: Any])?["email"] as? String == "\(id)@example.org")

      #expect(try await succeed(belfry, "erase", id, "--yes") == "Nothing is left about \(id).\n")
      for command in [["users", "show", id], ["groups", "show", group]] {
        let gone = try await belfry.belfry(command)
        #expect(gone.status == 1 && gone.output.contains("404"), "\(gone.output)")
      }
    }
  }

  @Test func `a schedule is put from a file, shown, put again and ended`() async throws {
    try await TestStack.with { belfry in
      let key = "bins \(UUID())"
      let definition = try file(
        #"{"to":{"group":"nobody"},"type":12,"recurrence":"FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1","time":"03:00"}"#
      )
      defer { Cleanup.removeNow(definition) }
      let owner = "owner-\(UUID())"
      let put = try await succeed(belfry, "schedules", "put", key, definition, "--owner", owner, "--new")
      #expect(put.contains("recurrence: FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1\n"), "\(put)")
      let twice = try await belfry.belfry(["schedules", "put", key, definition, "--owner", owner, "--new"])
      #expect(twice.status == 1 && twice.output.contains("412"), "\(twice.output)")
      let listed = try await succeed(belfry, "schedules", "list", "--owner", owner)
      #expect(listed.split(separator: "\n").count == 2 && listed.contains(key), "\(listed)")
      let shown = try file(try await succeed(belfry, "schedules", "show", key, "--owner", owner, "--json"))
      defer { Cleanup.removeNow(shown) }
      _ = try await succeed(belfry, "schedules", "put", key, shown, "--owner", owner)
      let stranger = try await belfry.belfry(["schedules", "show", key])
      #expect(stranger.status == 1 && stranger.output.contains("--owner"), "\(stranger.output)")
      #expect(try await succeed(belfry, "schedules", "delete", key, "--owner", owner, "--yes") == "\(key) has ended.\n")
      #expect(try await succeed(belfry, "schedules", "list", "--owner", owner) == "No schedules.\n")
    }
  }

  @Test func `what became of a send is reported, and it is taken out of inboxes`() async throws {
    try await TestStack.with { belfry in
      let ann = try await belfry.makeUser(platforms: [])
      let send = ["send", "--to", ann.id.description, "--type", "AllowanceResumed", "--json"]
      let sent = try object(try await belfry.belfry(send).output)
      let request = try #require(sent["requestId"] as? String)
      try await eventually("a router has stored it") {
        let shown = try await belfry.belfry(["requests", "show", request])
        return shown.status == 0 && shown.output.hasPrefix("\(request): accepted, 1 recipient\n")
      }
      let cancelled = try await succeed(belfry, "requests", "cancel", request, "--withdraw", "--yes")
      #expect(cancelled.hasSuffix(", 1 taken out of inboxes.\n"), "\(cancelled)")
      let shown = try await succeed(belfry, "requests", "show", request)
      #expect(shown.contains("accepted (withdrawal asked for at "), "\(shown)")
    }
  }

  @Test func `a send is put off, and taken back before its time`() async throws {
    try await TestStack.with { belfry in
      let ann = try await belfry.makeUser(platforms: [])
      let time = (Date.now + 3_600).ISO8601Format()
      let send = [
        "send", "--to", ann.id.description, "--type", "AllowanceResumed", "--channel", "inApp", "--send-at", time,
      ]
      let sent = try await belfry.belfry(send)
      #expect(sent.status == 0 && sent.output.hasPrefix("Scheduled: request "), "\(sent.output)")
      let request = try #require(sent.output.split(separator: " ").last).trimmingCharacters(in: .whitespacesAndNewlines)
      let shown = try await succeed(belfry, "requests", "show", request)
      #expect(shown.hasPrefix("\(request): scheduled for "), "\(shown)")
      let cancelled = try await succeed(belfry, "requests", "cancel", request, "--yes")
      #expect(cancelled == "1 cancelled: nothing of it was sent.\n")
    }
  }

  @Test func `a type's texts are shown with what they need, and what lacks is named`() async throws {
    try await TestStack.with { belfry in
      let data = ["amount=$5.00", "balance=$47.00"].flatMap { ["--data", $0] }
      let preview = try await belfry.belfry(["preview", "AllowanceDeposit"] + data)
      #expect(preview.status == 0 && preview.output.hasPrefix("AllowanceDeposit (10), locale "), "\(preview.output)")
      #expect(preview.output.contains("\n  push: ") && preview.output.contains("$47.00"), "\(preview.output)")
      let lacking = try await belfry.belfry(["preview", "10", "--data", "amount=$5.00"])
      #expect(lacking.status == 1 && lacking.output.contains("  data.balance: "), "\(lacking.output)")
    }
  }

  @Test func `a token may be a setting, and what is done with it is in the audit log`() async throws {
    try await TestStack.with { belfry in
      let token = try await succeed(belfry, "token", "--role", "admin").trimmingCharacters(in: .whitespacesAndNewlines)
      // Without the secret none can be minted.
      let variables = ["BELFRY_CLI_TOKEN": token, "BELFRY_AUTH_SECRET": ""]
      let made = try await belfry.belfry(["keys", "make", "audited", "--json"], variables: variables)
      let id = try #require(try object(made.output)["id"] as? String)
      let log = try await succeed(belfry, "audit", "--limit", "100")
      let line = try #require(log.split(separator: "\n").first { $0.contains(id) }, "\(log)")
      #expect(line.contains("belfry-cli") && !log.contains(token), "\(line)")
      _ = try await succeed(belfry, "keys", "revoke", id, "--yes")
      let wrong = try await belfry.belfry(["keys", "list"], variables: ["BELFRY_CLI_TOKEN": "nonsense"])
      #expect(wrong.status == 1 && wrong.output.contains("401"), "\(wrong.output)")
      #expect(wrong.output.contains("BELFRY_CLI_TOKEN"), "\(wrong.output)")
    }
  }

  @Test func `what was delivered is found, and counted`() async throws {
    try await TestStack.with { belfry in
      let ann = try await belfry.makeUser()
      let id = ann.id.description
      let sent = try object(try await succeed(belfry, "send", "--to", id, "--type", "AllowanceResumed", "--json"))
      let request = try #require(sent["requestId"] as? String)
      try await eventually("it is found") {
        try await succeed(belfry, "find", "--user", id, "--outcome", "delivered").contains("  AllowanceResumed  push ")
      }
      let found = try object(try await succeed(belfry, "find", "--request", request, "--user", id, "--json"))
      let delivery = try #require((found["deliveries"] as? [[String: Any]])?.first)
      #expect(delivery["userId"] as? String == id && delivery["requestId"] as? String == request)
      let notification = try #require(delivery["notificationId"] as? String)
      let history = try await succeed(belfry, "find", "--user", id, "--notification", notification)
      #expect(history.contains("  push delivered to its only target\n"), "\(history)")
      #expect(try await succeed(belfry, "find", "--user", id, "--outcome", "rejected") == "No such deliveries.\n")
      try await eventually("it is counted", within: .seconds(60)) {
        let stats = try await succeed(belfry, "stats", "--by", "type")
        return stats.contains("AllowanceResumed (12)") && stats.contains("Permission to push: ")
      }
    }
  }
}
