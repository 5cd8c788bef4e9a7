import Foundation
import NotificationModel
import SeedModels
import TestSupport
import Testing

extension EndToEndTests {
  /// What the clients of the AllowanceTracker specifications get from the hub, read into their own types.
  @Suite(.serialized, .timeLimit(.minutes(4))) struct SeedHubTests {
    /// Push specification, lines 743 to 755 and 1505 to 1520.
    @Test func `the web page is notified of a notification, of its count, and of what is read elsewhere`() async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await connect(ann, "/hubs/notifications", belfry)
        let entity = UUID().lowercased
        let about = #""relatedEntityType":"Goal","relatedEntityId":"\#(entity)""#
        let data = #""data":{"percent":50,"goalName":"Bike"}"#
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":21,\#(data),\#(about)}"#).expect(202)
        try await eventually("it arrived") { try hub.unreadCount() == 1 }
        let notification = try AllowanceTrackerPush.React.read(
          AllowanceTrackerPush.React.Notification.self,
          from: try argument(0, of: "ReceiveNotification", hub)
        )
        #expect(notification.type == 21 && notification.typeName == "GoalMilestone")
        #expect(notification.body == "You've hit 50% on your Bike goal!")
        #expect(notification.relatedEntityId == entity)
        #expect(!notification.isRead && notification.readAt == nil)

        let path = "/api/v1/notifications/\(notification.id)/read"
        _ = try await belfry.call("PATCH", path, token: ann.token).expect(200)
        try await eventually("it is shown as read") { try hub.unreadCount() == 0 }
        #expect(
          try JSONDecoder().decode(String.self, from: argument(0, of: "NotificationRead", hub)) == notification.id
        )
      }
    }

    /// Push specification, line 754: `BalanceUpdated: (childId: string, newBalance: number)`.
    @Test func `the web page is sent a balance in two arguments`() async throws {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await connect(ann, "/hubs/notifications", belfry)
        let child = UUID().lowercased
        try await report(
          "BalanceUpdated",
          #"{"childId":"\#(child)","newBalance":47.25,"previousBalance":42}"#,
          to: ann,
          belfry
        )
        try await eventually("it arrived") { try invocation("BalanceUpdated", hub) != nil }
        #expect(try invocation("BalanceUpdated", hub)?.count == 2)
        #expect(try JSONDecoder().decode(String.self, from: argument(0, of: "BalanceUpdated", hub)) == child)
        #expect(try JSONDecoder().decode(Double.self, from: argument(1, of: "BalanceUpdated", hub)) == 47.25)
      }
    }

    /// Specification of real-time features for iOS, lines 117 to 170: each handler takes one object.
    @Test func `the iOS app reads each event of the family from one object`() async throws {
      typealias App = AllowanceTrackerRealtime
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser(platforms: [])
        let hub = try await connect(ann, "/hub/family", belfry)
        let id = UUID()
        let at = #""2026-11-21T05:44:10.2551234Z""#
        let ids = #""childId":"\#(id.lowercased)""#
        let events = [
          (
            "TransactionCreated",
            #"{"transactionId":"\#(id.lowercased)",\#(ids),"amount":25.00,"type":"Debit","description":"Café","#
              + #""balanceAfter":125.5,"createdAt":\#(at)}"#
          ),
          (
            "AllowancePaid",
            #"{\#(ids),"childName":"Mia","amount":10,"newBalance":47.25,"previousBalance":37.25,"paidAt":\#(at)}"#
          ),
          (
            "ChoreApproved",
            #"{"choreId":"\#(id.lowercased)",\#(ids),"choreName":"Dishes","amount":2.5,"approvedBy":"Ann","#
              + #""approvedAt":\#(at)}"#
          ),
          (
            "GoalReached",
            #"{"goalId":"\#(id.lowercased)",\#(ids),"goalName":"Bike","goalPrice":99.99,"currentBalance":100,"#
              + #""achievedAt":\#(at)}"#
          ),
          ("BalanceUpdated", #"{\#(ids),"newBalance":47.25,"previousBalance":42}"#),
        ]
        for (name, payload) in events { try await report(name, payload, to: ann, belfry) }
        try await eventually("all arrived") { try events.allSatisfy { try invocation($0.0, hub) != nil } }
        for (name, _) in events { #expect(try invocation(name, hub)?.count == 1) }

        let transaction: App.TransactionEventDTO = try App.read(from: argument(0, of: "TransactionCreated", hub))
        #expect(transaction.transactionId == id && transaction.childId == id)
        #expect(transaction.amount == 25 && transaction.balanceAfter == Decimal(string: "125.5"))
        #expect(transaction.type == .debit && transaction.description == "Café")
        #expect(abs(transaction.createdAt.timeIntervalSince1970 - 1_795_239_850.255) < 0.001)
        let allowance: App.AllowanceEventDTO = try App.read(from: argument(0, of: "AllowancePaid", hub))
        #expect(allowance.childName == "Mia" && allowance.newBalance - allowance.previousBalance == allowance.amount)
        let chore: App.ChoreEventDTO = try App.read(from: argument(0, of: "ChoreApproved", hub))
        #expect(chore.choreName == "Dishes" && chore.approvedBy == "Ann")
        let goal: App.GoalEventDTO = try App.read(from: argument(0, of: "GoalReached", hub))
        #expect(goal.goalName == "Bike" && goal.currentBalance == 100)
        let balance: App.BalanceEventDTO = try App.read(from: argument(0, of: "BalanceUpdated", hub))
        #expect(balance.childId == id && balance.newBalance == Decimal(string: "47.25"))
      }
    }

    private func connect(_ person: Person, _ path: String, _ belfry: TestStack) async throws -> HubClient {
      try await HubClient.connect(.pysignalr, to: belfry, as: person, options: .init(path: path))
    }

    private func report(_ name: String, _ payload: String, to person: Person, _ belfry: TestStack) async throws {
      let body = #"{"name":"\#(name)","audience":{"users":["\#(person.id)"]},"payload":\#(payload)}"#
      _ = try await belfry.call("POST", "/api/v1/events", token: try await belfry.serviceToken(), body: body).expect(
        202
      )
    }

    private func invocation(_ target: String, _ hub: HubClient) throws -> [Any]? {
      try hub.invocations().last { $0.target == target }?.arguments
    }

    private func argument(_ index: Int, of target: String, _ hub: HubClient) throws -> Data {
      let arguments = try #require(try invocation(target, hub))
      return try JSONSerialization.data(withJSONObject: arguments[index], options: .fragmentsAllowed)
    }
  }
}
