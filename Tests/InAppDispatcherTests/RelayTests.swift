import InAppDispatcher
import BelfryJSON
import NotificationModel
import NotificationQueue
import SignalRProtocol
import Testing

/// Events of backends' own.
@Suite struct RelayTests {
  private let payload: JSONValue

  init() throws {
    payload = try JSONParser.parse(Array(#"{"childId":"c-7","newBalance":42.5,"note":"日本語","none":null}"#.utf8))
  }

  private func balance(_ users: [UserID]) -> RealtimeMessage {
    RealtimeMessage(
      relays: [.init(name: "BalanceUpdated", payload: payload, arguments: ["childId", "newBalance"], userIds: users)]
    )
  }

  private func arguments(_ message: HubMessage, of target: String) throws -> [HubValue] {
    guard case .invocation(nil, target, let arguments, _) = message else {
      throw TestConnection.Unexpected(what: "\(message)")
    }
    return arguments
  }

  @Test(arguments: HubProtocol.allCases)
  func `the catalogue's members are arguments of their own, on /hub/family one object`(
    hubProtocol: HubProtocol
  ) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let plain = try await hub.connect(anna, as: hubProtocol)
      let family = try await hub.connect(anna, as: hubProtocol, path: "/hub/family")
      let bystander = try await hub.connect(.random(), as: hubProtocol)
      try await hub.server.deliver([balance([anna, .random()])])
      #expect(
        try arguments(await plain.message(as: hubProtocol), of: "BalanceUpdated") == [.string("c-7"), .double(42.5)]
      )
      let whole = try arguments(await family.message(as: hubProtocol), of: "BalanceUpdated")
      #expect(whole.count == 1)
      #expect(whole.first?["childId"] == .string("c-7"))
      #expect(whole.first?["newBalance"] == .double(42.5))
      #expect(whole.first?["note"] == .string("日本語"))
      #expect(hub.server.statistics[.delivered] == 2)
      #expect(try await bystander.hasNothing())
    }
  }

  @Test func `an event without named members is one object on both paths, on every transport`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let relay = RealtimeMessage.Relay(name: "GoalReached", payload: payload, arguments: [], userIds: [anna])
      for path in ["/hubs/notifications", "/hub/family"] {
        let socket = try await hub.connect(anna, path: path)
        let stream = try await TestEventStream.open(hub, anna, path: path)
        let polls = try await TestPolling.open(hub, anna, as: .messagePack, path: path)
        try await hub.server.deliver([RealtimeMessage(relays: [relay])])
        let first = try arguments(await socket.message(as: .json), of: "GoalReached")
        #expect(first.count == 1)
        #expect(first.first?["childId"] == .string("c-7"))
        let event = try await stream.events.event()
        #expect(
          try HubProtocol.json.messages(in: Array("\(event)\u{1E}".utf8)).first.map {
            try arguments($0, of: "GoalReached")
          } == first
        )
        #expect(try await arguments(polls.messages()[0], of: "GoalReached").first?["childId"] == .string("c-7"))
      }
    }
  }

  @Test(arguments: HubProtocol.allCases)
  func `amounts are in floating point over MessagePack, whole ones too, and counts are not`(
    hubProtocol: HubProtocol
  ) async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let plain = try await hub.connect(anna, as: hubProtocol)
      let family = try await hub.connect(anna, as: hubProtocol, path: "/hub/family")
      let payload = try JSONParser.parse(Array(#"{"newBalance":47,"previousBalance":null,"count":3,"text":"4"}"#.utf8))
      try await hub.server.deliver([
        RealtimeMessage(
          relays: [
            .init(
              name: "BalanceUpdated",
              payload: payload,
              arguments: ["newBalance", "count"],
              amounts: ["newBalance", "previousBalance", "text", "gone"],
              userIds: [anna]
            )
          ]
        )
      ])
      let balance: HubValue = hubProtocol == .messagePack ? .double(47) : .integer(47)
      #expect(try arguments(await plain.message(as: hubProtocol), of: "BalanceUpdated") == [balance, .integer(3)])
      let whole = try arguments(await family.message(as: hubProtocol), of: "BalanceUpdated")[0]
      #expect(whole["newBalance"] == balance && whole["count"] == .integer(3) && whole["text"] == .string("4"))
      #expect(whole["previousBalance"] == nil)
    }
  }

  @Test func `a member that the payload lacks is null, so that the others keep their places`() async throws {
    try await TestHub.run { hub in
      let anna = UserID.random()
      let client = try await hub.connect(anna)
      try await hub.server.deliver([
        try RealtimeMessage(
          relays: [
            .init(
              name: "BalanceUpdated",
              payload: JSONParser.parse(Array(#"{"newBalance":1}"#.utf8)),
              arguments: ["childId", "newBalance"],
              userIds: [anna]
            )
          ]
        )
      ])
      #expect(
        try await client.message() == #"{"type":1,"target":"BalanceUpdated","arguments":[null,1]}"#
      )
    }
  }

  @Test func `an event of an operator's own catalogue arrives as its file says`() async throws {
    let catalogue = try Catalogue(
      overrides: """
        version: 1
        builtIn: false
        events: [{ name: StockChanged, arguments: [product, price], amounts: [price] }]
        """
    )
    let type = try #require(catalogue.event("stockchanged"))
    let payload = try JSONParser.parse(Array(#"{"product":"Tea","price":4,"left":3}"#.utf8))
    try await TestHub.run { hub in
      let anna = UserID.random()
      let plain = try await hub.connect(anna, as: .messagePack)
      let family = try await hub.connect(anna, as: .messagePack, path: "/hub/family")
      let relay = RealtimeMessage.Relay(
        name: type.name,
        payload: payload,
        arguments: type.arguments,
        amounts: type.amounts,
        userIds: [anna]
      )
      try await hub.server.deliver([RealtimeMessage(relays: [relay])])
      let parts = try arguments(await plain.message(as: .messagePack), of: "StockChanged")
      #expect(parts == [.string("Tea"), .double(4)])
      let whole = try arguments(await family.message(as: .messagePack), of: "StockChanged")
      #expect(whole.count == 1 && whole[0]["price"] == .double(4) && whole[0]["left"] == .integer(3))
    }
  }
}
