import Foundation
import NotificationModel
import SignalRProtocol
import Testing

@testable import InAppDispatcher

@Suite struct HubOperationTests {
  private func parse(_ target: String, _ arguments: [HubValue], isStream: Bool = false) -> Result<
    HubOperation, HubOperation.Refusal
  > {
    Result { () throws(HubOperation.Refusal) in
      try HubOperation.parse(HubCall(id: "1", target: target, arguments: arguments, isStream: isStream))
    }
  }

  private static let id = "0197a6de-3c4a-7b2e-9d6f-5b1f0c9a2e11"

  @Test func `methods are known without regard to case, with what they take`() throws {
    let id = try #require(NotificationID(Self.id))
    let entity = try #require(RelatedEntity(type: "goal", id: "g1"))
    for (target, arguments, expected) in [
      ("MarkAsRead", [.string(Self.id)], .markAsRead(id)),
      ("markasread", [.string(Self.id.uppercased())], .markAsRead(id)),
      ("MARKALLASREAD", [], .markAllAsRead), ("MarkAllAsSeen", [], .markAllAsSeen),
      ("StartViewing", [.string("Goal"), .string("G1")], .startViewing(entity)),
      ("stopViewing", [], .stopViewing), ("Resume", [.integer(0)], .resume(after: 0)),
      ("resume", [.double(12)], .resume(after: 12)),
    ] as [(String, [HubValue], HubOperation)] {
      #expect(parse(target, arguments) == .success(expected), "\(target)")
    }
    #expect(parse("Resume", [.integer(3)], isStream: true) == .success(.resume(after: 3)))
  }

  @Test(
    arguments: [
      ("MarkAsRead", [.string("7")], "id: expected a UUID"), ("MarkAsRead", [.integer(7)], "id: expected a UUID"),
      ("MarkAsRead", [], "Invocation provides 0 argument(s) but target expects 1."),
      ("MarkAllAsRead", [.null], "Invocation provides 1 argument(s) but target expects 0."),
      ("MarkAllAsSeen", [.null], "Invocation provides 1 argument(s) but target expects 0."),
      ("StopViewing", [.null], "Invocation provides 1 argument(s) but target expects 0."),
      ("StartViewing", [.string("a")], "Invocation provides 1 argument(s) but target expects 2."),
      ("StartViewing", [.string("a"), .integer(1)], "entityType, entityId: expected two texts"),
      ("StartViewing", [.string(""), .string("")], "entityType: must not be empty; entityId: must not be empty"),
      ("Resume", [.integer(-1)], "lastSeq: expected a whole number, 0 or more"),
      ("Resume", [.double(1.5)], "lastSeq: expected a whole number, 0 or more"),
      ("Resume", [.double(.infinity)], "lastSeq: expected a whole number, 0 or more"),
      ("Resume", [.integer(.max)], "lastSeq: expected a whole number, 0 or more"),
      ("Resume", [.string("5")], "lastSeq: expected a whole number, 0 or more"),
      ("Resume", [.null], "lastSeq: expected a whole number, 0 or more"),
    ] as [(String, [HubValue], String)]
  )
  func `what the caller can put right is named`(target: String, arguments: [HubValue], reason: String) {
    let message = "An unexpected error occurred invoking '\(target)' on the server. HubException: \(reason)"
    #expect(parse(target, arguments) == .failure(.init(message: message)))
  }

  @Test func `unknown methods and streams of what is none are refused`() {
    for target in ["", "Shout", "MarkAsRead ", "Märk"] {
      #expect(
        parse(target, [])
          == .failure(
            .init(
              message:
                "Failed to invoke '\(target)' due to an error on the server. HubException: Method does not exist."
            )
          )
      )
    }
    #expect(
      parse("StopViewing", [], isStream: true)
        == .failure(
          .init(
            message:
              "The client attempted to invoke the non-streaming 'StopViewing' method with a streaming invocation."
          )
        )
    )
  }

  @Test func `calls wait for each other, up to a limit, and can be taken back`() {
    var queue = CallQueue()
    func call(_ id: Int) -> HubCall { HubCall(id: "\(id)", target: "X", arguments: [], isStream: false) }
    for id in 0..<32 { #expect(queue.append(call(id)) == true) }
    #expect(queue.append(call(32)) == false)
    #expect(queue.next()?.call.id == "0")
    #expect(queue.next() == nil)
    #expect(queue.cancel("0") == nil)
    #expect(queue.cancel("2")?.id == "2")
    queue.endRunning()
    #expect(queue.next()?.call.id == "1")
    queue.endRunning()
    #expect(queue.next()?.call.id == "3")
  }
}
