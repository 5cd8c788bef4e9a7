import Foundation
import NotificationModel
import Postgres
import TestSupport
import Testing

@testable import NotificationStore

/// What has come up against mails since they were routed.
@Suite struct WaitingMailTests {
  private let ann = Sample.user()

  /// Against a mail of no category that may be unsubscribed, one of such a category, and one to another person.
  private func objections(_ client: PostgresClient) async throws -> [SkipReason?] {
    try await SuppressionStore(client: client).objections(to: [
      .init(user: ann, address: "ann@EXAMPLE.org", type: 10, category: nil),
      .init(user: ann, address: "ann@EXAMPLE.org", type: 10, category: "Allowance"),
      .init(user: Sample.user(), address: "ben@example.org", type: 10, category: "Allowance"),
    ])
  }

  private func change(_ client: PostgresClient, _ change: @escaping (inout PreferenceRows) -> Void) async throws {
    _ = try await SettingsStore(client: client).change(of: ann, in: Sample.types(), at: .now) { change(&$0.rows) }
  }

  @Test func `where nothing has changed nothing speaks against a mail`() async throws {
    try await TestDatabase.with { client in
      let none = try await SuppressionStore(client: client).objections(to: [])
      let objections = try await objections(client)
      #expect(none.isEmpty && objections == [nil, nil, nil])
    }
  }

  @Test func `a dead address gets nothing, a complaint stops what may be unsubscribed`() async throws {
    try await TestDatabase.with { client in
      let store = SuppressionStore(client: client)
      func evidence(_ kind: SuppressionEvidence.Kind) -> SuppressionEvidence {
        SuppressionEvidence(
          address: "ann@example.org",
          kind: kind,
          source: "ses",
          diagnostic: nil,
          at: .now,
          deliveryOf: nil
        )
      }
      try await store.record([evidence(.complaint)])
      #expect(try await objections(client) == [nil, .emailSuppressed, nil])
      try await store.record([evidence(.permanent("5.1.1"))])
      #expect(try await objections(client) == [.emailSuppressed, .emailSuppressed, nil])
      try await store.remove("ann@example.org")
      #expect(try await objections(client) == [nil, nil, nil])
    }
  }

  @Test func `who unsubscribed gets no more of the category, unless the type was switched on after that`() async throws
  {
    try await TestDatabase.with { client in
      try await change(client) { $0.categories["Allowance"] = ChannelChoices(push: false) }
      #expect(try await objections(client) == [nil, nil, nil])
      try await change(client) { $0.categories["Allowance"] = ChannelChoices(email: false) }
      #expect(try await objections(client) == [nil, .preferenceOff, nil])
      try await change(client) { $0.types[10] = ChannelChoices(email: true) }
      #expect(try await objections(client) == [nil, nil, nil])
      try await change(client) { $0.types[10] = ChannelChoices(email: false) }
      #expect(try await objections(client) == [nil, .preferenceOff, nil])
    }
  }

  @Test func `a digest of several types is sent where one of the reader's types is on, though the category is off`()
    async throws
  {
    try await TestDatabase.with { client in
      let digest = SuppressionStore.WaitingMail(user: ann, address: "ann@example.org", type: 0, category: "Allowance")
      func objections() async throws -> [SkipReason?] {
        try await SuppressionStore(client: client).objections(to: [digest])
      }
      #expect(try await objections() == [nil])
      try await change(client) { $0.types[10] = ChannelChoices(email: false) }
      #expect(try await objections() == [nil])
      try await change(client) { $0.categories["Allowance"] = ChannelChoices(email: false) }
      #expect(try await objections() == [.preferenceOff])
      try await change(client) { $0.types[11] = ChannelChoices(email: true) }
      #expect(try await objections() == [nil])
    }
  }
}
