import Foundation
import LocalStack
import NotificationModel
import Postgres
import TestSupport
import Testing
import Transport

extension EndToEndTests {
  @Suite(.serialized) struct DeadLetterTests {
    @Test func `undecodable, unknown-type and oversized messages are dead-lettered with a reason and block nothing`()
      async throws
    {
      try await TestStack.with { belfry in
        let ann = try await belfry.makeUser()
        let url = ["--url", belfry.stack.rabbitmq.url]
        let script = "Tests/Conformance/amqp_publish.py"
        let unknown = #"{"to":{"users":["\#(ann.id)"]},"type":"NoSuchType"}"#
        for arguments in [["--body", "{nonsense"], ["--body", unknown], ["--body-size", "300000"]] {
          #expect(try await CommandResult.python(script, url + arguments).status == 0)
        }
        _ = try await belfry.send(#"{"to":{"users":["\#(ann.id)"]},"type":12}"#).expect(202)
        try await eventually("what came after them arrived") { try await belfry.pushes(to: ann.devices[0]).count == 1 }
        var list = try await belfry.belfry(["dead", "list"])
        try await eventually("all three are dead-lettered") {
          list = try await belfry.belfry(["dead", "list"])
          return ["malformed JSON", "NoSuchType", "oversized"].allSatisfy(list.output.contains)
        }
        #expect(list.status == 0)
        let shown = try await belfry.belfry(["dead", "show", "ingest"])
        #expect(shown.status == 0)
        #expect(shown.output.contains("NoSuchType"))
        // What was looked at is the queue's again once the broker has noticed that the one who looked is gone.
        try await eventually("the three can be taken") { try await belfry.depth(of: "belfry.ingest.parked") >= 3 }
        let redriven = try await belfry.belfry(["dead", "redrive", "ingest", "--all"])
        #expect(redriven.status == 0, "\(redriven.output)")
        let count = try #require(redriven.output.firstMatch(of: /(\d+) sent back to/).flatMap { Int($0.1) })
        #expect(count >= 3)
        // Nothing has changed, so they come back; none is lost on the way.
        try await eventually("they are dead-lettered again") {
          try await belfry.depth(of: "belfry.ingest.parked") >= count
        }
        let again = try await belfry.belfry(["dead", "list"])
        for reason in ["malformed JSON", "NoSuchType", "oversized"] { #expect(again.output.contains(reason)) }
        let ids = again.output.split(separator: "\n").filter { $0.contains("NoSuchType") }
          .compactMap { $0.split(separator: " ").first.map(String.init) }
        try await eventually("they can be taken") { try await belfry.depth(of: "belfry.ingest.parked") >= count }
        let discarded = try await belfry.belfry(["dead", "discard", "ingest", "--yes"] + ids)
        #expect(!ids.isEmpty && discarded.status == 0, "\(discarded.output)")
        let rest = try await belfry.belfry(["dead", "list", "ingest"])
        #expect(rest.status == 0 && !ids.contains(where: rest.output.contains), "\(rest.output)")
      }
    }
  }
}
