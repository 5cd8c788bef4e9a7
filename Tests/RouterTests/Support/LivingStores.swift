import Foundation
import NotificationModel
import NotificationStore
import Postgres
import Rules
import TestSupport
import WallClock

@testable import Router

/// What one process sees of a real database: each call that writes is a step of its life.
struct LivingStores {
  let client: PostgresClient
  let life: Lifetime

  private var rules: RuleStore { RuleStore(client: client) }
}

extension LivingStores: RuleScheduleStoring {
  func people(_ users: [UserID]) async throws -> [UserID: RuleStore.Person] { try await rules.people(users) }

  func change<Result>(
    _ keys: Set<RuleStateKey>,
    now: Date,
    _ decide: ([RuleStateKey: String]) throws -> (changes: RuleStore.Changes, result: Result)
  ) async throws -> Result {
    try await life.step { try await rules.change(keys, now: now, decide) }
  }

  func forget(_ notices: [RequestID]) async throws { try await life.step { try await rules.forget(notices) } }

  func due<Result>(
    now: Date,
    limit: Int,
    _ decide: ([RuleStore.Due], [UserID: RuleStore.Person]) throws -> (changes: RuleStore.Changes, result: Result)
  ) async throws -> Result? {
    try await life.step { try await rules.due(now: now, limit: limit, decide) }
  }

  func orphans(now: Date, limit: Int) async throws -> [RuleStore.Notice] {
    try await life.step { try await rules.orphans(now: now, limit: limit) }
  }

  func zonesInUse() async throws -> [String] { try await rules.zonesInUse() }

  func claimScan(_ rule: String, of day: LocalDate, zones: [String], now: Date, until: Date) async throws -> [String] {
    try await life.step { try await rules.claimScan(rule, of: day, zones: zones, now: now, until: until) }
  }

  func finishScan(_ rule: String, of day: LocalDate, zones: [String]) async throws {
    try await life.step { try await rules.finishScan(rule, of: day, zones: zones) }
  }

  func absent(
    _ rule: String,
    lastDay: LocalDate,
    zones: [String],
    after: UUID?,
    limit: Int
  ) async throws -> [RuleStateKey] {
    try await rules.absent(rule, lastDay: lastDay, zones: zones, after: after, limit: limit)
  }
}

extension LivingStores: NotificationStoring {
  func store(
    _ notifications: [NewNotification],
    contents: [NotificationContent]
  ) async throws -> [StoredNotification] {
    try await life.step { try await NotificationStore(client: client).store(notifications, contents: contents) }
  }

  func change(_ channel: Channel, of changes: [DecisionChange]) async throws -> Set<NotificationID> {
    try await life.step { try await NotificationStore(client: client).change(channel, of: changes) }
  }
}

extension LivingStores: KeyStoring {
  func claim(_ claims: [IdempotencyStore.Claim]) async throws -> [IdempotencyStore.Entry] {
    try await life.step { try await IdempotencyStore(client: client).claim(claims) }
  }
}
