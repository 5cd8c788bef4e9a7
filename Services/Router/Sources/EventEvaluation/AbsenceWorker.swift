import CatalogueVersions
import Foundation
import Logging
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import ServiceLifecycle
import ServiceRuntime
import WallClock

/// Finds, once a day and zone, the people of whom nothing has been heard for exactly as many days as a rule says. Over all
/// routers one does each scan; a scan whose router died is done again, and sends nothing twice.
struct AbsenceWorker: Service {
  let catalogues: CatalogueInForce
  let store: any RuleScheduleStoring
  let recipients: any RecipientStoring
  let identifiers: any IdentifierStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  let logger: Logger
  var metrics: RouterMetrics?
  /// People in one transaction.
  var limit = 500
  var interval: Duration = .seconds(10)
  var clock: any WorkClock

  /// After that much of the rule's time, which happens after a standstill, nobody is notified any more that day.
  private static let lateness: TimeInterval = 6 * 3_600
  /// A router that has not finished a scan by then is dead.
  private static let lease: TimeInterval = 600

  func run() async throws {
    let memory = AbsenceMemory()
    await Poll(interval: interval, logger: logger).run("scans for absent people failed") { try await work(memory) }
  }

  /// Does all scans that are due.
  func work(_ memory: AbsenceMemory = AbsenceMemory()) async throws {
    let current = catalogues.current
    guard !current.catalogue.rules.absences.isEmpty else { return }
    let now = try await clock.checkedNow()
    let names = try await memory.zones(now: now) { try await store.zonesInUse() }
    // A name that this machine does not know stands for the deployment's zone, here as everywhere.
    let zones = Dictionary(grouping: names) { Zone($0) ?? zone }
    for (rule, absence) in current.catalogue.rules.absences {
      for (today, names) in due(absence, zones, now: now) {
        let new = await memory.unseen(rule.name, today, names, now: now)
        guard !new.isEmpty else { continue }
        let until = now + Self.lease
        let claimed = try await store.claimScan(rule.name, of: today, zones: new, now: now, until: until)
        // Done by others, or being done: whether they lived to finish it is asked once their claim has ended.
        let others = Set(new).subtracting(claimed)
        await memory.see(rule.name, today, others.sorted(), now: now, until: until)
        guard !claimed.isEmpty else { continue }
        try await scan(rule, absence, of: today, zones: claimed, by: current)
        try await store.finishScan(rule.name, of: today, zones: claimed)
        await memory.see(rule.name, today, claimed, now: now, until: now + 86_400)
      }
    }
  }

  /// The local days whose scans are due now, and the zones that have them.
  private func due(_ absence: RuleAbsence, _ zones: [Zone: [String]], now: Date) -> [LocalDate: [String]] {
    var due: [LocalDate: [String]] = [:]
    for (zone, names) in zones {
      let today = zone.localDate(at: now)
      // A scan late in the evening may be done after midnight.
      for day in [today, today.adding(days: -1)] {
        let at = zone.instant(of: day, at: absence.time)
        if at <= now, now < at + Self.lateness { due[day, default: []] += names }
      }
    }
    return due
  }

  private func scan(
    _ rule: Rule,
    _ absence: RuleAbsence,
    of today: LocalDate,
    zones: [String],
    by current: AppliedCatalogue
  ) async throws {
    var last: UUID?
    while true {
      let keys = try await store.absent(
        rule.name,
        lastDay: absence.lastDay(before: today),
        zones: zones,
        after: last,
        limit: limit
      )
      let willing = try await willing(rule, keys, current.catalogue)
      if !willing.isEmpty { try await notify(willing, of: rule, today: today, by: current) }
      guard keys.count == limit else { return }
      last = keys.last?.user
    }
  }

  /// Those who want to be notified on some channel: most do not, and nothing is written for them.
  private func willing(
    _ rule: Rule,
    _ keys: [RuleStateKey],
    _ catalogue: Catalogue
  ) async throws -> [RuleStateKey] {
    guard !keys.isEmpty else { return [] }
    let types = rule.types.compactMap { catalogue.type(.name($0)) }
    var wanted = Set<RecipientStore.Key>()
    for key in keys { for type in types { wanted.insert(Self.person(key, type)) } }
    let people = try await recipients.recipients(for: wanted)
    return keys.filter { key in
      types.contains { type in
        guard let person = people[Self.person(key, type)] else { return false }
        return person.wants(type, among: catalogue.channels)
      }
    }
  }

  private static func person(_ key: RuleStateKey, _ type: NotificationType) -> RecipientStore.Key {
    RecipientStore.Key(user: UserID(key.user), type: type.code, category: type.category)
  }

  private func notify(
    _ keys: [RuleStateKey],
    of rule: Rule,
    today: LocalDate,
    by current: AppliedCatalogue
  ) async throws {
    let users = keys.map { UserID($0.user) }
    let stored = try await store.people(users)
    let texts = try await identifiers.texts(of: users)
    let people = RulePeople(stored, zone: zone, settings: current.catalogue.settings, texts: texts)
    let missed = try await store.change(Set(keys), now: clock.uncheckedNow) { stored in
      var changes = RuleStore.Changes()
      for (key, text) in stored.sorted(by: { $0.key < $1.key }) {
        let state: RuleState
        do throws(RuleStateError) {
          state = try RuleState(json: text)
        } catch {
          logger.warning("an absence cannot be evaluated", metadata: ["state": "\(key)", "error": "\(error)"])
          continue
        }
        let evaluation = rule.evaluate(
          .absent(today: today),
          key: key,
          state: state,
          settings: people.settings(of: key.user)
        )
        changes.notices += evaluation.notices.map { RuleStore.Notice($0, catalogueVersion: current.reference) }
        if evaluation.isStateChanged { changes.states[key] = evaluation.state }
      }
      return (changes, changes.notices)
    }
    metrics?.missed(missed.count)
    try await notices.publish(stored: missed)
  }
}
