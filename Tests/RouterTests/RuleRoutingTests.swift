import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Postgres
import TestSupport
import Testing
import WallClock

@testable import Router

/// From an event to what is in the inbox, by the built-in catalogue.
@Suite struct RuleRoutingTests {
  private let noon = RuleWorld.noon
  private let day: TimeInterval = 86_400

  /// An instant as the person's clocks show it, some days from today.
  private func at(_ time: String, in days: Int) throws -> Date {
    let today = RuleWorld.zone.localDate(at: noon)
    return RuleWorld.zone.instant(of: today.adding(days: days), at: try #require(LocalTime(time)))
  }

  private func date(in days: Int) -> String { "\(RuleWorld.zone.localDate(at: noon).adding(days: days))" }

  @Test func `a balance that falls below the threshold notifies once, however often the event comes`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      let payload = #""childId":"\#(mia)","newBalance":8,"previousBalance":12.5"#
      let id = try await world.report("BalanceUpdated", payload)
      try await world.report("BalanceUpdated", payload, id: id)
      try await world.run()
      try await world.report("balanceupdated", payload, id: id)
      try await world.run()
      let notified = try await world.notified()
      #expect(notified.map(\.type) == ["LowBalanceWarning"])
      #expect(notified.first?.user == mia)
      #expect(notified.first?.at == id.time)
      #expect(notified.first?.body.contains("$8.00") == true, "\(notified)")
      #expect(try await world.unpublished() == 0)
      #expect(world.router.isDone)
      #expect(world.router.deadLettered == [])
    }
  }

  @Test func `each threshold is the person's own`() async throws {
    try await RuleWorld.with { world in
      let (low, high) = (try await world.person(), try await world.person())
      for (user, threshold) in [(low, 5), (high, 100)] {
        _ = try await world.client.query(
          "UPDATE users SET settings = jsonb_build_object('lowBalanceThreshold', \(threshold)) WHERE user_id = \(user)"
        )
        try await world.report("BalanceUpdated", #""childId":"\#(user)","newBalance":8,"previousBalance":101"#)
      }
      try await world.run()
      #expect(try await world.notified().map(\.user) == [high])
    }
  }

  @Test func `a setting of the operator's own is each person's, and what lies outside of its bounds counts as these`()
    async throws
  {
    try await RuleWorld.with { world in
      var world = world
      world.router.catalogue = Result {
        try Catalogue(
          overrides: """
            version: 1
            settings: [{ name: dailyLimit, type: number, minimum: 20, maximum: 200, default: 50 }]
            events: [{ name: DaySpent, relay: false }]
            rules:
            - name: limit
              on: DaySpent
              user: "{{userId}}"
              when: { value: spent, previous: before, risesAbove: { setting: dailyLimit } }
              notify: SystemAnnouncement
            """
        )
      }
      // Notified from 50, from 20, from 60.5, and from 200 on.
      var people: [UserID] = []
      for stored in [nil, "1", "60.5", "1000"] {
        let user = try await world.person()
        people.append(user)
        guard let stored else { continue }
        _ = try await world.client.query(
          "UPDATE users SET settings = jsonb_build_object('dailyLimit', \(stored)::text::numeric) WHERE user_id = \(user)"
        )
      }
      for user in people {
        try await world.report("DaySpent", #""userId":"\#(user)","spent":60.4,"before":19"#)
      }
      try await world.run()
      #expect(Set(try await world.notified().map(\.user)) == [people[0], people[1]])
      for user in people {
        try await world.report("DaySpent", #""userId":"\#(user)","spent":201,"before":60.4"#)
      }
      try await world.run()
      #expect(Set(try await world.notified().map(\.user)) == Set(people[0...1]).union([people[2], people[3]]))
    }
  }

  @Test func `a goal's milestones, and its deadline at the person's hour`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      func goal(_ amount: Int, _ more: String = "") async throws {
        let payload =
          #""userId":"\#(mia)","goalId":"g","goalName":"Bike","currentAmount":\#(amount),"targetAmount":200"#
        try await world.report("GoalUpdated", payload + more)
        try await world.run()
      }
      try await goal(20, #","targetDate":"\#(date(in: 4))""#)
      #expect(try await world.notified() == [])
      // A jump notifies of the highest, and of what lies behind not later.
      try await goal(160)
      try await goal(60)
      #expect(try await world.notified().map(\.type) == ["SavingsGoalMilestone"])
      #expect(try await world.notified().first?.body.contains("75") == true)
      for days in 1...5 {
        try await world.run(at: try at("08:59:59", in: days))
        try await world.run(at: try at("09:00:00", in: days))
      }
      let notified = try await world.notified().dropFirst()
      #expect(
        notified.map(\.type) == [
          "SavingsGoalDeadline", "SavingsGoalDeadline", "SavingsGoalDeadline", "SavingsGoalMissed",
        ]
      )
      #expect(try notified.map(\.at) == [1, 3, 4, 5].map { try at("09:00", in: $0) })
      #expect(notified.allSatisfy { $0.about == "g" })
      try await goal(200)
      #expect(try await world.notified().count { $0.type == "SavingsGoalCompleted" } == 1)
    }
  }

  @Test func `a rule's text that would be too long is sent to nobody, and another's is sent`() async throws {
    try await RuleWorld.with { world in
      let (mia, tom) = (try await world.person(), try await world.person())
      for (user, name) in [(mia, String(repeating: "a", count: 4_001)), (tom, "Bike")] {
        try await world.report("GoalUpdated", #""userId":"\#(user)","goalId":"g","goalName":"\#(name)","percent":80"#)
      }
      try await world.run()
      let notified = try await world.notified()
      #expect(notified.first { $0.user == mia }?.body == "")
      #expect(notified.first { $0.user == tom }?.body.contains("Bike") == true)
      let rows = try await world.client.query("SELECT in_app FROM notifications WHERE user_id = \(mia)")
      #expect(try rows.map { try $0.get(0, as: Int.self) } == [Int(SkipReason.textTooLong.rawValue)])
      #expect(world.router.isDone && world.router.deadLettered == [])
    }
  }

  @Test func `a goal that is completed is reminded of no more`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      let payload = #""userId":"\#(mia)","goalId":"g","goalName":"Bike","targetDate":"\#(date(in: 1))""#
      try await world.report("GoalUpdated", payload)
      try await world.run()
      try await world.report("GoalUpdated", payload + #","completed":true"#)
      try await world.run()
      try await world.run(at: noon + 3 * day)
      #expect(try await world.notified() == [])
    }
  }

  @Test func `a budget is evaluated at the end of the person's day, by the latest word`() async throws {
    try await RuleWorld.with { world in
      let (over, under) = (try await world.person(), try await world.person())
      func spent(_ user: UserID, _ amount: Int, at time: Date) async throws {
        let payload = #""userId":"\#(user)","category":"food","period":"day","spent":\#(amount),"budget":50"#
        try await world.report("SpendingUpdated", payload, occurredAt: time)
      }
      try await spent(over, 60, at: noon - 20)
      // Out of order: this one is older.
      try await spent(over, 10, at: noon - 30)
      try await spent(under, 70, at: noon - 30)
      try await spent(under, 40, at: noon - 20)
      try await world.run()
      try await world.run(at: try at("00:00", in: 1) - 1)
      #expect(try await world.notified() == [])
      try await world.run(at: try at("00:00", in: 1) + 5)
      let notified = try await world.notified()
      #expect(notified.map(\.user) == [over])
      #expect(notified.map(\.type) == ["OverBudget"])
      #expect(try notified.map(\.at) == [at("00:00", in: 1)])
    }
  }

  @Test func `the first transaction, a streak of seven days, and a large one`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      var days = Array(0..<7)
      // In any order.
      days.swapAt(1, 4)
      for number in days {
        let payload = #""userId":"\#(mia)","transactionId":"t\#(number)","amount":\#(number == 3 ? 700 : 5)"#
        try await world.report("TransactionLogged", payload, occurredAt: noon - Double(number) * day)
        try await world.run()
      }
      let notified = try await world.notified()
      #expect(notified.map(\.type).sorted() == ["FirstTransaction", "LargeTransaction", "LoggingStreak"])
    }
  }

  @Test func `who has been away for exactly three days hears of it once, at ten, who wants it`() async throws {
    try await RuleWorld.with { world in
      let (mia, ben, far) = (try await world.person(), try await world.person(), try await world.person(zone: .utc))
      let type = try #require(try TestRouter.catalogue.get().type(.name("MissYou")))
      for user in [mia, far] {
        try await world.choose(ChannelChoices(inApp: true, push: true, email: false), for: type, of: user)
      }
      for user in [mia, ben, far] { try await world.report("AppOpened", #""userId":"\#(user)""#) }
      try await world.run()
      for days in 1...4 {
        try await world.run(at: try at("10:00", in: days) - 1)
        try await world.run(at: try at("10:00", in: days) + 1)
        try await world.run(at: try at("10:00", in: days) + 2)
        try await world.run(at: try at("11:00", in: days) + 1)
      }
      let notified = try await world.notified()
      #expect(notified.map(\.type) == ["MissYou", "MissYou"])
      #expect(notified.map(\.user) == [mia, far])
      #expect(try notified.map(\.at) == [at("10:00", in: 3), at("11:00", in: 3)])
    }
  }

  @Test func `a check-in's reminder, its end, and a new one that moves both`() async throws {
    try await RuleWorld.with { world in
      let (mia, ben) = (try await world.person("Mia"), try await world.person("Ben"))
      func checkIn(until: Date) async throws {
        let people = #""userId":"\#(mia)","userName":"Mia","contactIds":["\#(ben)"]"#
        try await world.report("CheckedIn", people + #","expiresAt":"\#(until.rfc3339)""#)
        try await world.run()
      }
      try await checkIn(until: noon + 7_200)
      try await world.run(at: noon + 3_600)
      try await checkIn(until: noon + 14_400)
      try await world.run(at: noon + 7_300)
      #expect(try await world.notified() == [])
      try await world.run(at: noon + 14_400 - 1_790)
      #expect(try await world.notified().map(\.user) == [mia])
      #expect(try await world.notified().map(\.at) == [noon + 14_400 - 1_800])
      try await world.run(at: noon + 14_401)
      let notified = try await world.notified().dropFirst()
      #expect(Set(notified.map(\.user)) == [mia, ben])
      #expect(notified.allSatisfy { $0.at == noon + 14_400 })
    }
  }

  @Test func `one event notifies several people, each in their words`() async throws {
    try await RuleWorld.with { world in
      let (mia, ben) = (try await world.person(), try await world.person())
      let people = #""userId":"\#(mia)","userName":"Mia","contactId":"\#(ben)","contactName":"Ben""#
      let id = try await world.report("ContactRoleChanged", people + #","role":"responder""#)
      try await world.report("ContactRoleChanged", people + #","role":"responder""#, id: id)
      try await world.run()
      let notified = try await world.notified()
      #expect(Set(notified.map(\.user)) == [mia, ben])
      #expect(notified.count == 2)
      #expect(Set(notified.map(\.body)).count == 2)
    }
  }

  @Test func `a message goes to the conversation but its sender, by the name of the event, the profile, or none`()
    async throws
  {
    try await RuleWorld.with { world in
      let (mia, ben, nameless) = (try await world.person("Mia M"), try await world.person(), UserID(UUID()))
      try await GroupStore(client: world.client).replace("conversation:c", members: [mia, ben, nameless])
      func message(_ sender: UserID, _ id: String, _ more: String = "") async throws {
        let payload =
          #""conversationId":"c","messageId":"\#(id)","senderId":"\#(sender)","text":"Hi","isGroupChat":false"#
        try await world.report("MessageSent", payload + more)
        try await world.run()
        world.clock.now += 1
      }
      try await message(mia, "1")
      try await message(mia, "2", #","senderName":"Mum""#)
      try await message(nameless, "3")
      let notified = try await world.notified()
      #expect(notified.map(\.title) == ["Mia M", "Mia M", "Mum", "Mum", "Someone", "Someone"])
      #expect(Set(notified[0...1].map(\.user)) == [ben, nameless])
      #expect(Set(notified[4...5].map(\.user)) == [mia, ben])
      #expect(notified.allSatisfy { $0.about == "c" && $0.body == "Hi" })
      #expect(try await world.states() == 0)
    }
  }

  @Test func `an event that a rule refuses is dead-lettered, and its neighbours are evaluated`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      for number in 0..<100 {
        let amount = number == 57 ? #""much""# : "1"
        let payload = #""childId":"\#(UserID(UUID()))","newBalance":\#(amount),"previousBalance":12"#
        try await world.report("BalanceUpdated", payload)
      }
      try await world.report("BalanceUpdated", #""childId":"\#(mia)","newBalance":1,"previousBalance":12"#)
      try await world.run()
      #expect(try await world.notified().count == 100)
      // Its gateway had other rules, perhaps, as routers may have that start yet.
      #expect(world.router.postponed.count == 1)
      #expect(world.router.deadLettered == [])
      try await world.router.endPause()
      try await world.run(at: noon + 601)
      #expect(world.router.postponed.isEmpty)
      #expect(world.router.deadLettered == ["invalid: payload.newBalance: expected a number below 10^15, not 'much'"])
      #expect(try await world.notified().count == 100)
    }
  }

  @Test func `what only other rules can evaluate waits for a router that has them`() async throws {
    try await RuleWorld.with { world in
      var world = world
      let mia = try await world.person()
      let payload = #""childId":"\#(mia)","balance":1,"former":12"#
      try await world.report("BalanceUpdated", payload + #","newBalance":"low""#)
      try await world.run()
      #expect(world.router.postponed.count == 1)
      #expect(try await world.notified() == [])
      try await world.router.endPause()
      world.router.catalogue = Result {
        try Catalogue(
          overrides: """
            version: 1
            rules:
              - name: low-balance
                on: BalanceUpdated
                user: "{{childId}}"
                when: { value: balance, previous: former, fallsBelow: 10 }
                data: { balance: "{{balance}}" }
                notify: LowBalanceWarning
            """
        )
      }
      try await world.run(at: noon + 599)
      #expect(try await world.notified().map(\.type) == ["LowBalanceWarning"])
      #expect(world.router.deadLettered == [])
      #expect(world.router.postponed.isEmpty)
    }
  }

  @Test func `a sender's own event that a rule refuses is dead-lettered at once`() async throws {
    try await RuleWorld.with { world in
      let body = #"{"name":"BalanceUpdated","payload":{"childId":"\#(UserID(UUID()))","newBalance":"much"}}"#
      try await world.router.publish(body, id: "m-1", key: Topology.eventKey, timestamp: noon)
      try await world.run()
      #expect(world.router.postponed.isEmpty)
      #expect(world.router.deadLettered == ["invalid: payload.newBalance: expected a number below 10^15, not 'much'"])
    }
  }

  @Test func `a state that cannot be read stops nobody else`() async throws {
    try await RuleWorld.with { world in
      let (mia, ben) = (try await world.person(), try await world.person())
      _ = try await world.client.query(
        "INSERT INTO rule_states (user_id, rule, key, state) VALUES (\(mia), 'low-balance', '', '{\"v\":99}')"
      )
      for user in [mia, ben] {
        try await world.report("BalanceUpdated", #""childId":"\#(user)","newBalance":1,"previousBalance":12"#)
      }
      try await world.run()
      #expect(try await world.notified().map(\.user) == [ben])
      #expect(world.router.deadLettered.count == 1)
      #expect(world.router.deadLettered.first?.contains("rule state") == true)
    }
  }

  @Test func `over AMQP the sender's message-id makes an event one, and one without notifies at least`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person()
      let body =
        #"{"name":"ContactAdded","payload":{"userId":"\#(mia)","userName":"M","contactId":"\#(UserID(UUID()))","#
        + #""contactName":"B","role":"responder"}}"#
      for _ in 0..<3 {
        try await world.router.publish(body, id: "m-1", key: Topology.eventKey)
        try await world.run()
      }
      #expect(try await world.notified().count { $0.user == mia } == 1)
      try await world.router.publish(body.replacing(#""M""#, with: #""N""#), id: "m-1", key: Topology.eventKey)
      try await world.run()
      #expect(world.router.deadLettered == ["message-id 'm-1' was used before with another body"])
      try await world.router.publish(body, key: Topology.eventKey)
      try await world.run()
      #expect(try await world.notified().count { $0.user == mia } == 2)
      #expect(world.router.isDone)
    }
  }

  @Test func `a reminder moves with the person's zone, and is sent once`() async throws {
    try await RuleWorld.with { world in
      let mia = try await world.person(zone: .utc)
      let payload = #""userId":"\#(mia)","goalId":"g","goalName":"Bike","targetDate":"\#(date(in: 2))""#
      try await world.report("GoalUpdated", payload)
      try await world.run()
      _ = try await world.client.transaction([
        "UPDATE users SET timezone = \(RuleWorld.zone.identifier) WHERE user_id = \(mia)",
        RuleStore.resettle(mia, now: world.clock.now),
      ])
      try await world.run()
      #expect(try await world.notified() == [])
      try await world.run(at: try at("09:00", in: 1))
      try await world.run(at: try at("11:00", in: 1))
      #expect(try await world.notified().map(\.at) == [try at("09:00", in: 1)])
    }
  }
}
