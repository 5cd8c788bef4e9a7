import Foundation
import NotificationModel
import NotificationStore
import SignalRProtocol
import Testing

@testable import InAppDispatcher

/// What reaches the connections of a user who is erased, and comes again.
@Suite struct ErasedUserTests {
  /// The next notifications that a client gets, by their `seq`.
  private func seqs(_ count: Int, of client: TestConnection) async throws -> [Int] {
    var seqs: [Int] = []
    while seqs.count < count {
      if let seq = try await client.message(as: .json).seq { seqs.append(seq) }
    }
    return seqs
  }

  @Test func `what is sent after an erasure reaches open connections, and clients that knew more before`() async throws
  {
    try await TestMethods.run { test in
      let anna = UserID.random()
      try await test.store(5, for: anna)
      let open = try await test.hub.connect(anna)
      try await test.send(1, to: anna)
      #expect(try await seqs(1, of: open) == [6])
      _ = try await ErasureStore(client: test.database).erase(anna, by: nil)
      // Between the erasure and the first that comes after it.
      let between = try await test.hub.connect(anna)
      try await between.send(.resume("r", after: 6))
      #expect(try await between.message(as: .json).resultSeqs == [])
      for _ in 0..<4 { try await test.send(1, to: anna) }
      let got = try await seqs(4, of: open)
      #expect(got == Array(got[0]..<got[0] + 4) && got[0] > 7)
      #expect(try await seqs(4, of: between) == got)
      let late = try await test.hub.connect(anna)
      try await late.send(.resume("r", after: 6))
      #expect(try await late.message(as: .json).resultSeqs == got)
    }
  }
}
