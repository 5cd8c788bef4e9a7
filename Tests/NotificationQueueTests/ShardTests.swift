import NotificationModel
import NotificationQueue
import Testing

@Suite struct ShardTests {
  /// Written out: a router and an in-app node of different versions must agree.
  @Test(
    arguments: [
      ("00000000-0000-0000-0000-000000000000", 4), ("00000000-0000-0000-0000-000000000001", 3),
      ("ffffffff-ffff-ffff-ffff-ffffffffffff", 5), ("6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b", 2),
      ("019a8b7c-6d5e-7f40-8123-456789abcdef", 3), ("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", 0),
    ]
  )
  func `a user's shard never changes`(_ user: String, _ number: Int) throws {
    let shard = Shard.of(try #require(UserID(user)))
    #expect(shard.number == number)
    #expect(shard.routingKey == String(number))
  }

  @Test func `users spread evenly, even if their ids only count up`() throws {
    var counts = [Int](repeating: 0, count: Shard.count)
    for index in 0..<6_400 {
      let text = "00000000-0000-4000-8000-\(String(1_000_000_000_000 + index).dropFirst())"
      counts[Shard.of(try #require(UserID(text))).number] += 1
    }
    #expect(counts.allSatisfy { (600...1_000).contains($0) })
  }

  @Test func `there are eight shards`() {
    #expect(Shard.all.map(\.number) == Array(0..<8))
  }
}
