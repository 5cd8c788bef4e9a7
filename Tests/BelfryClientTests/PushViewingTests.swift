import BelfryClientTesting
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
    let server = InMemoryServer(clock)
    let client = BelfryClient(server.configuration(), jitter: Jitter { 0.5 }) { _ in "token" }
    await client.connect()
    #expect(await clock.advance { await client.session.isResumed })
    func told(_ entity: RelatedEntity?) async -> Bool { await settles { await server.viewing() == entity } }
    let (chat, goal) = (chat, goal)
    let first = Task { await client.whileViewing(chat) }
    #expect(await told(chat))
    let second = Task { await client.whileViewing(goal) }
    #expect(await told(goal))
    second.cancel()
    await second.value
    #expect(await told(chat))
    first.cancel()
    await first.value
    #expect(await told(nil))
    #expect(await client.session.viewing == nil)
    await client.signOut()
  }
}
