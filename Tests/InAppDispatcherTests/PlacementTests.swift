import Foundation
import InAppDispatcher
import NotificationModel
import NotificationQueue
import SignalRProtocol
import Testing

@Suite struct PlacementTests {
  private let path = "/hubs/notifications"

  /// A user of one of these shards.
  private func user(of shards: Set<Int>) -> UserID {
    while true {
      let user = UserID.random()
      if shards.contains(Shard.of(user).number) { return user }
    }
  }

  private func negotiate(_ hub: TestHub, _ token: String, path: String, query: String = "") async throws -> [String:
    Any]
  {
    let client = try await hub.open()
    let answer = try await client.request("POST", "\(path)/negotiate?negotiateVersion=1\(query)", token: token)
    #expect(answer.status == 200)
    await client.close()
    return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
  }

  @Test(arguments: ["/hubs/notifications", "/hub/family"])
  func `clients of a load balancer are sent to the node's own address, once`(path: String) async throws {
    try await TestHub.run(adjust: { $0.placement.publicURL = "https://hub-1.example" }) { hub in
      let token = try await TestHub.token(.random())
      let answer = try await negotiate(hub, token, path: path)
      #expect(answer["url"] as? String == "https://hub-1.example\(path)?placed=1")
      #expect(answer["accessToken"] as? String == token)
      #expect(answer["connectionToken"] == nil)
      // The first version of the negotiation knows it, too.
      let client = try await hub.open()
      let first = try await client.request("POST", "\(path)/negotiate", token: token)
      let old = try #require(try JSONSerialization.jsonObject(with: Data(first.bytes)) as? [String: Any])
      #expect(old["url"] as? String == "https://hub-1.example\(path)?placed=1")
      #expect(old["accessToken"] as? String == token)
      let there = try await client.request("POST", "\(path)/negotiate?placed=1", token: token)
      #expect(there.body.contains("connectionId") && !there.body.contains(#""url""#))
      let placed = try await negotiate(hub, token, path: path, query: "&placed=1")
      #expect(placed["url"] == nil)
      let id = try #require(placed["connectionToken"] as? String)
      #expect(try await hub.open().upgrade("\(path)?placed=1&id=\(id)", token: token).status == 101)
      // pysignalr goes straight there.
      #expect(try await hub.open().upgrade("\(path)?placed=1", token: token).status == 101)
    }
  }

  @Test func `users of other shards are sent to their node, or told that there is none`() async throws {
    try await TestHub.run(adjust: {
      $0.placement.shards = [0, 1, 2]
      $0.placement.others = [.init(shards: [3, 4], url: "https://hub-2.example")]
    }) { hub in
      let own = try await TestHub.token(user(of: [0, 1, 2]))
      #expect(try await negotiate(hub, own, path: path)["connectionToken"] is String)
      #expect(try await hub.open().upgrade(path, token: own).status == 101)

      let foreign = try await TestHub.token(user(of: [3, 4]))
      let there = try await negotiate(hub, foreign, path: path)
      #expect(there["url"] as? String == "https://hub-2.example\(path)?placed=1")
      #expect(there["accessToken"] as? String == foreign)
      // Two nodes that disagree send nobody round in circles.
      let lost = try await negotiate(hub, foreign, path: path, query: "&placed=1")
      #expect(lost["error"] as? String == "This user's connections belong to another node.")

      let nobodys = try await TestHub.token(user(of: [5, 6, 7]))
      let nowhere = try await negotiate(hub, nobodys, path: path)
      #expect(nowhere["error"] as? String == "This user's connections belong to another node.")
      for token in [foreign, nobodys] {
        #expect(try await hub.open().upgrade(path, token: token).status == 421)
        #expect(try await hub.open().request("GET", "\(path)?id=x", token: token).status == 421)
      }
      #expect(hub.server.connectionCount == 1)
    }
  }
}
