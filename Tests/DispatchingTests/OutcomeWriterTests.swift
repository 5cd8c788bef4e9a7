import Broker
import Foundation
import NotificationModel
import NotificationStore
import Synchronization
import TestSupport
import Testing

@testable import Dispatching

@Suite(.timeLimit(.minutes(1))) struct OutcomeWriterTests {
  private func record(_ target: String) throws -> DeliveryStore.Record {
    let user = UserID(UUID())
    let request = try #require(RequestID("019a8b7c-6d5e-7f40-8123-456789abcdef"))
    return DeliveryStore.Record(
      userID: user,
      notificationID: NotificationID(request: request, recipient: user),
      channel: .push,
      target: target,
      outcome: .delivered,
      attempts: 1
    )
  }

  @Test func `what comes while a statement is under way shares the next one`() async throws {
    let outcomes = InMemoryOutcomes()
    let gate = Gate()
    let isUnderWay = Mutex(false)
    outcomes.failRecording { records in
      isUnderWay.withLock { $0 = true }
      if records.first?.target == "first" { await gate.wait() }
      return nil
    }
    let writer = OutcomeWriter(store: outcomes)
    let others = try (0..<50).map { try record("\($0)") }
    let first = try record("first")
    try await withThrowingTaskGroup { group in
      group.addTask { try await writer.write([first]) }
      try await eventually("the first is being written") { isUnderWay.withLock(\.self) }
      for other in others { group.addTask { try await writer.write([other]) } }
      try await eventually("the others wait") { await writer.waitingCount == 50 }
      gate.open()
      try await group.waitForAll()
    }
    #expect(outcomes.statements.map(\.count) == [1, 50])
  }

  @Test func `records that can never be written fail by themselves`() async throws {
    let outcomes = InMemoryOutcomes()
    outcomes.failRecording { records in
      await Task.yield()
      return records.contains { $0.target == "bad" } ? BrokerError(.invalidMessage, "never") : nil
    }
    let writer = OutcomeWriter(store: outcomes)
    let records = try ["a", "bad", "b", "c", "d"].map { try record($0) }
    let failed = await withTaskGroup(of: String?.self) { group in
      for record in records {
        group.addTask {
          do {
            try await writer.write([record])
            return nil
          } catch {
            return record.target
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }
    #expect(failed == ["bad"])
    #expect(Set(outcomes.records.keys.map(\.target)) == ["a", "b", "c", "d"])
  }

  @Test func `a failure that may pass is reported to all who shared the statement`() async throws {
    let outcomes = InMemoryOutcomes()
    outcomes.failRecording { _ in BrokerError(.timeout, "for now") }
    let writer = OutcomeWriter(store: outcomes)
    let record = try record("a")
    await #expect(throws: BrokerError.self) { try await writer.write([record]) }
    outcomes.failRecording(nil)
    try await writer.write([record])
    #expect(outcomes.records.count == 1)
  }
}
