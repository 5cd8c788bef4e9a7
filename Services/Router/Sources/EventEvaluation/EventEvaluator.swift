import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore
import Rules
import WallClock

/// Evaluates the catalogue's rules on events. Everything it does may be repeated: no notice is sent twice.
struct EventEvaluator {
  private(set) var rules: RuleSet
  /// The catalogue's.
  private(set) var settings: [DeclaredSetting]
  let store: any RuleStoring
  let notices: NoticePublisher
  /// The deployment's, for people without their own.
  let zone: Zone
  var metrics: RouterMetrics?
  /// Which version of the catalogue has the rules; nil is a file.
  private(set) var catalogueVersion: Int?

  init(
    rules: RuleSet,
    settings: [DeclaredSetting],
    store: any RuleStoring,
    notices: NoticePublisher,
    zone: Zone,
    metrics: RouterMetrics? = nil
  ) {
    (self.rules, self.settings, self.store, self.notices, self.zone) = (rules, settings, store, notices, zone)
    self.metrics = metrics
  }

  /// The same by another catalogue.
  func by(_ catalogue: Catalogue, version: Int?) -> EventEvaluator {
    var evaluator = self
    (evaluator.rules, evaluator.settings) = (catalogue.rules, catalogue.settings)
    evaluator.catalogueVersion = version
    return evaluator
  }

  /// Returns once all that follows is stored, with what the rules then remember, in one transaction.
  func evaluate(_ events: [RuleEvent], now: Date) async throws -> StoredEvaluation {
    guard !events.isEmpty else { return StoredEvaluation(EvaluationBatch.Result(refusals: []), publisher: notices) }
    var batch = EvaluationBatch(events, rules, catalogueVersion: catalogueVersion)
    let people = try await store.people(batch.people)
    batch.meet(RulePeople(people, zone: zone, settings: settings))
    let result: EvaluationBatch.Result
    if batch.keys.isEmpty {
      result = try batch.decide([:]).result
    } else {
      result = try await store.change(batch.keys, now: now) { stored in try batch.decide(stored) }
    }
    metrics?.evaluated(result)
    return StoredEvaluation(result, publisher: notices)
  }
}
