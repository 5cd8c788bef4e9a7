import ArgumentParser
import ConsoleCommands
import BelfryJSON
import NotificationModel
import OperatorCLI
import Testing
import TestSupport

@testable import Workshop

/// The family that `belfry-dev run` and `belfry-dev demo` make.
@Suite struct DemoFamilyTests {
  @Test func `it is made as a backend and its members would, each with their own token`() async throws {
    try await StubGateway.with { _ in
      .init(body: "{}")
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { gateway in
        let story = DemoFamily.story(try Catalogue())
        let devices = DemoDevices(gateway, simulator: nil)
        try await story.make(devices, serviceToken: "backend") { "of-\($0.name)" }
      }
      let asked = stub.asked.map { "\($0.line) \($0.headers["authorization"] ?? $0.headers["Authorization"] ?? "")" }
      let expected = DemoFamily.people.flatMap { member in
        [
          "PUT /api/v1/users/\(member.id) Bearer backend", "GET /api/v1/devices Bearer of-\(member.name)",
          "POST /api/v1/devices Bearer of-\(member.name)",
          "PUT /api/v1/notifications/preferences Bearer of-\(member.name)",
        ]
      }
      #expect(asked == expected + ["PUT /api/v1/groups/family%3Ademo Bearer backend"])
      for member in DemoFamily.people { #expect(stub.asked.last?.body.contains(member.id) == true) }
    }
  }

  @Test func `who has a device keeps it as it is`() async throws {
    try await StubGateway.with { _ in
      .init(body: #"[{"isActive":false},{"isActive":true}]"#)
    } _: { stub in
      try await GatewayClient.using(url: stub.url) { gateway in
        let devices = DemoDevices(gateway, simulator: nil)
        for member in DemoFamily.people { try await devices.register(member, token: "token") }
      }
      #expect(stub.asked.map(\.line) == Array(repeating: "GET /api/v1/devices", count: 3))
    }
  }

  @Test func `beside the simulator the iPhone is one of APNs, and the browser subscribes anew each time`() async throws
  {
    let subscription =
      #"{"endpoint":"https://localhost:1/push/a","expirationTime":null,"keys":{"p256dh":"P","auth":"A"}}"#
    try await StubGateway.with { question in
      switch question.line {
      case "GET /api/v1/push-subscriptions/key": .init(body: #"{"publicKey":"K"}"#)
      case "POST /api/webpush/subscriptions": .init(status: 201, body: subscription)
      default: .init(body: "{}")
      }
    } _: { stub in
      let addresses = DemoAddresses()
      #expect(addresses[DemoFamily.ella] == "")
      try await GatewayClient.using(url: stub.url) { client in
        let devices = DemoDevices(client, simulator: client, addresses: addresses)
        for member in DemoFamily.people { try await devices.register(member, token: "token") }
      }
      #expect(
        stub.asked.map(\.line) == [
          "DELETE /api/v1/devices/current", "POST /api/v1/notifications/device-token",
          "POST /api/v1/devices",
          "DELETE /api/v1/devices/current", "GET /api/v1/push-subscriptions/key", "POST /api/webpush/subscriptions",
          "POST /api/v1/push-subscriptions",
        ]
      )
      let (maria, tom, ella) = (DemoFamily.maria, DemoFamily.tom, DemoFamily.ella)
      #expect(stub.asked[0].headers["x-device-token"] == maria.deviceToken, "that of a release before")
      let bodies = try stub.asked.map { $0.body.isEmpty ? .null : try JSONParser.parse(Array($0.body.utf8)) }
      #expect(bodies[1]["token"]?.string == maria.nativeToken && bodies[1]["userId"]?.string == maria.id)
      #expect(bodies[2]["token"]?.string == tom.deviceToken && bodies[2]["platform"]?.integer == 2)
      #expect(stub.asked[5].body == #"{"applicationServerKey":"K"}"#)
      #expect(
        bodies[6]["endpoint"]?.string == "https://localhost:1/push/a" && bodies[6]["keys"]?["auth"]?.string == "A"
      )
      #expect(bodies[6]["applicationServerKey"]?.string == "K")
      // By which the subscription before gives way.
      #expect(bodies[6]["installationId"]?.string == ella.installation)
      #expect(
        [maria, tom, ella].map { addresses[$0] } == [maria.nativeToken, tom.deviceToken, "https://localhost:1/push/a"]
      )
    }
  }

  @Test func `whatever the story, one gets pushes by each provider, at an address of their own`() {
    for people in [DemoFamily.people, DemoApp.people] {
      #expect(people.map(\.carrier) == [.apns, .fcm, .webPush])
      #expect(people.map(\.deviceModel) == ["iPhone", "Android", "Chrome"])
    }
    let tokens = DemoPerson.known.map(\.nativeToken)
    #expect(Set(tokens).count == DemoPerson.known.count)
    #expect(tokens.allSatisfy { $0.count == 64 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    #expect(Set(DemoPerson.known.compactMap(\.installation)).count == DemoPerson.known.count)
  }

  @Test func `what is shown to send with can be typed`() throws {
    let request = try #require(Welcome.Request(of: DemoFamily.story(try Catalogue())))
    #expect(request.options.hasPrefix("--group family:demo --type AllowanceDeposit --data 'amount=$5.00' --data "))
    let words = ["send", "--group", DemoFamily.group, "--type", DemoFamily.type, "--data", "amount=$5.00"]
    #expect(throws: Never.self) { _ = try BelfryCommand.parseAsRoot(words) }
  }

  @Test(arguments: [("version: 1\n", "\"0\"", "Maria"), (Shop.yaml, "\"3\"", "Alex")])
  func `who is made, and with what, is for the catalogue in force`(_ file: String, _ tag: String, _ name: String)
    async throws
  {
    try await StubGateway.with { question in
      switch question.line {
      case "GET /api/v1/admin/catalogue": .init(body: file, headers: ["ETag": tag])
      case "GET /api/v1/devices": .init(body: "[]")
      default: .init(body: "{}")
      }
    } _: { stub in
      let story = try await DemoStory.of(inForce: CatalogueInGateway(url: stub.url, token: "admin"))
      #expect(story.people.first?.name == name)
      #expect(stub.asked.map(\.line) == ["GET /api/v1/admin/catalogue"])
      try await GatewayClient.using(url: stub.url) { gateway in
        try await story.make(DemoDevices(gateway, simulator: nil), serviceToken: "backend") { "of-\($0.name)" }
      }
      // A preference of a type that is not in force would be refused.
      let isFamily = name == "Maria"
      #expect(stub.asked.contains { $0.line == "PUT /api/v1/notifications/preferences" } == isFamily)
      let type = try #require(Welcome.Request(of: story)).type
      #expect(type == (isFamily ? "AllowanceDeposit" : "OrderShipped"))
    }
  }
}
