import Foundation
import LocalStack
import NotificationModel
import TestSupport
import Testing

extension EndToEndTests {
  /// All services under a catalogue that begins with nothing (`builtIn: false`).
  @Suite(.serialized, .timeLimit(.minutes(4))) struct OwnCatalogueTests {
    private static let shop = """
      version: 1
      builtIn: false
      defaults: { channels: { inApp: true, push: true, email: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
      types:
      - code: 1
        name: OrderShipped
        category: Orders
        title: "{{order}} is on its way"
        body: "From {{shop}}"
        mail: { text: "Sent by {{shop}}.", html: "<h1>{{order}}</h1><p>by {{shop}}</p>" }
        actions: [{ id: TRACK, title: Track, link: "https://shop.example/{{order}}" }]
      mailLayout: { name: The Shop, footer: Bye }
      events:
      - { name: OrderPacked, relay: false }
      - { name: StockChanged, arguments: [product, left] }
      rules:
      - { name: shipped, on: OrderPacked, user: "{{buyer}}", notify: OrderShipped, data: { order: "{{order}}", shop: Ours } }
      """

    @Test func `the operator's type 1 arrives everywhere in the operator's words, and nothing of ours is known`()
      async throws
    {
      try await TestStack.with(catalogue: Self.shop) { belfry in
        let ann = try await belfry.makeUser(platforms: [.iOS])
        let hub = try await HubClient.connect(.pysignalr, to: belfry, as: ann)
        let body = #"{"to":{"users":["\#(ann.id)"]},"type":1,"data":{"order":"A-1","shop":"Tea & Co"}}"#
        _ = try await belfry.send(body).expect(202)
        try await everywhere(1, ann, hub, belfry)
        let list = try await belfry.call("GET", "/api/v1/notifications", token: ann.token).expect(200)
        let shown = try #require(try list.list("notifications").first)
        #expect(shown["title"] as? String == "A-1 is on its way" && shown["body"] as? String == "From Tea & Co")
        #expect(shown["type"] as? Int == 1 && shown["typeName"] as? String == "OrderShipped")
        #expect(shown["category"] as? String == "Orders")
        #expect(try hub.notifications().first?["title"] as? String == "A-1 is on its way")
        let push = try #require(try await belfry.pushes(to: ann.devices[0]).first?["message"] as? [String: Any])
        #expect(push["notification"] as? [String: String] == ["title": "A-1 is on its way", "body": "From Tea & Co"])
        let mail = try #require(try await belfry.mails(to: ann.email).first)
        #expect(mail["subject"] as? String == "A-1 is on its way")
        let sequence = try #require(mail["sequence"] as? Int)
        let html = try await belfry.simulator("GET", "/api/mails/\(sequence)/html").expect(200).text
        for part in ["<h1>A-1</h1><p>by Tea &amp; Co</p>", "\"https://shop.example/A-1\"", "The Shop", ">Bye</p>"] {
          #expect(html.contains(part), "\(part)")
        }

        _ = try await report("OrderPacked", #"{"buyer":"\#(ann.id)","order":"A-2"}"#, belfry).expect(202)
        try await everywhere(2, ann, hub, belfry)
        #expect(try hub.notifications().last?["title"] as? String == "A-2 is on its way")

        let audience = #","audience":{"users":["\#(ann.id)"]}"#
        _ = try await report("StockChanged", #"{"product":"Tea","left":3}"#, belfry, audience: audience).expect(202)
        try await eventually("the event is relayed") {
          let stock = try hub.invocations().first { $0.target == "StockChanged" }?.arguments
          return stock?.count == 2 && stock?[0] as? String == "Tea" && stock?[1] as? Int == 3
        }

        let balance = #"{"childId":"\#(ann.id)","newBalance":8,"previousBalance":12}"#
        let refused = try await report("BalanceUpdated", balance, belfry, audience: audience)
        #expect(refused.status == 400 && refused.problemFields == ["name"], "\(refused.text)")
        let older = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":"AllowanceDeposit"}"#)
        #expect(older.status == 400 && older.problemFields == ["type"], "\(older.text)")
        let switches = try await belfry.call("GET", "/api/v1/notification-preferences", token: ann.token).expect(404)
        #expect((switches.json["detail"] as? String)?.contains("LowBalanceWarning") == true, "\(switches.text)")
        try await eventually("nothing is in flight") { try await belfry.backlog() == 0 }
        #expect(try await belfry.inbox(of: ann).count == 2)
        try await becomesVersion1(belfry)
      }
    }

    /// The file becomes the first version while all services work by it, once.
    private func becomesVersion1(_ belfry: TestStack) async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "belfry-first-\(UUID()).yaml").path
      defer { try? FileManager.default.removeItem(atPath: file) }
      try Data(Self.shop.utf8).write(to: URL(filePath: file))
      let first = try await belfry.belfry(["migrate", "--catalogue", file])
      #expect(first.status == 0 && first.output.contains("is version 1 of the catalogue"), "\(first.output)")
      let again = try await belfry.belfry(["migrate", "--catalogue", file])
      #expect(again.status == 0 && again.output.contains("is not applied"), "\(again.output)")
      let shown = try await belfry.belfry(["catalogue", "show", "1"])
      #expect(shown.output.contains("OrderShipped"), "\(shown.output)")
    }

    /// Waits until so many have arrived on each channel.
    private func everywhere(_ count: Int, _ ann: Person, _ hub: HubClient, _ belfry: TestStack) async throws {
      try await eventually("\(count) on each channel") {
        let pushes = try await belfry.pushes(to: ann.devices[0]).count
        let mails = try await belfry.mails(to: ann.email).count
        return try pushes == count && mails == count && hub.notifications().count == count
      }
    }

    private func report(_ name: String, _ payload: String, _ belfry: TestStack, audience: String = "") async throws
      -> Answer
    {
      let body = #"{"name":"\#(name)","payload":\#(payload)\#(audience)}"#
      return try await belfry.call("POST", "/api/v1/events", token: try await belfry.serviceToken(), body: body)
    }
  }
}
