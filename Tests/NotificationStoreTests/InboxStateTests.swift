import Foundation
import NotificationModel
import Postgres
import Testing

@testable import NotificationStore

/// The codes of ``InboxState`` are those of the schema, which has them in its own text.
struct InboxStateTests {
  private func migration(_ name: String) throws -> String {
    try #require(Schema.migrations.first { $0.name == name }).sql
  }

  @Test func `the delivery log calls delivered what is, or was, in the inbox`() throws {
    let schema = try migration("m0012_inbox.sql")
    #expect(schema.contains("c.channel = 1 AND c.code IN \(InboxState.allCases.sql) THEN 'delivered'"))
    #expect(schema.contains("FROM gone WHERE in_app = \(InboxState.inbox.sql) GROUP BY"))
  }

  @Test func `the index by seq has what is in the inbox`() throws {
    #expect(try migration("m0004_seq_order.sql").contains("WHERE in_app = \(InboxState.inbox.sql) AND (is_late"))
  }

  @Test func `the codes are literals of a statement's text`() {
    let query: SQLQuery = "in_app = \(literal: .archived) OR in_app IN \(literals: InboxState.kept) OR id = \(7)"
    #expect(query.sql == "in_app = 18 OR in_app IN (0, 18, 19) OR id = $1")
  }

  @Test func `each operation changes what its user still has, and leaves it in a state of its own`() {
    let states: [(InboxOperation, InboxState?)] = [
      (.read, nil), (.unread, nil), (.seen, nil), (.opened, nil), (.delete, .deleted), (.archive, .archived),
      (.unarchive, .inbox), (.snooze(until: .distantFuture), .snoozed), (.wake, .inbox), (.wakeWhenDue, .inbox),
    ]
    for (operation, state) in states {
      let sql = operation.sql
      #expect(sql.condition.hasPrefix("in_app "))
      #expect(sql.assignments.contains("in_app") == (state != nil), "\(operation)")
      if let state { #expect(sql.assignments.hasPrefix("in_app = \(state.sql), "), "\(operation)") }
      // Where none is named, only what is in the inbox is meant.
      #expect(sql.all?.hasPrefix("in_app = \(InboxState.inbox.sql) AND ") ?? true, "\(operation)")
    }
  }
}
