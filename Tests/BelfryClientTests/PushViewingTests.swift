import Foundation
import Testing

@testable import BelfryClient

struct PushViewingTests {
  private let clock = TestClock()
  private let chat = RelatedEntity(type: "conversation", id: "c-1")
  private let goal = RelatedEntity(type: "goal", id: "7")

  @Test func `the screen that came last counts, and the one before it after it has gone`() {
    var stack = ViewingStack()
    let first = stack.begin(chat)
    let second = stack.begin(goal)
    #expect(stack.current == goal)
    stack.end(first)
    #expect(stack.current == goal)
    stack.end(second)
    #expect(stack.current == nil)
    stack.end(second)
    #expect(stack.current == nil)
  }

  @Test func `the hub is told while a screen is there, and when it has gone`() async throws {
    let server = FakeServer(clock)
    let client = BelfryClient(try server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.passes { await client.session.isResumed })
    let channel = try #require(server.channels.first)
    func told(_ text: String) async -> Bool { await settles { channel.sent.last?.contains(text) == true } }
    let (chat, goal) = (chat, goal)
    let first = Task { await client.whileViewing(chat) }
    #expect(await told(#""StartViewing","arguments":["conversation","c-1"]"#))
    let second = Task { await client.whileViewing(goal) }
    #expect(await told(#""StartViewing","arguments":["goal","7"]"#))
    second.cancel()
    await second.value
    #expect(await told(#""StartViewing","arguments":["conversation","c-1"]"#))
    first.cancel()
    await first.value
    #expect(await told(#""StopViewing""#))
    #expect(await client.session.viewing == nil)
    await client.signOut()
  }
}
