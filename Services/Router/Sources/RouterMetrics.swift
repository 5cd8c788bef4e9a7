import Metrics
import NotificationModel
import NotificationStore

/// What routing comes to and how long it takes, for whatever metrics backend the process has.
///
/// - `belfry_router_decisions`: of each notification that was stored, by `channel`, `decision` (`deliver`, `hold`, `skip`)
///   and `reason` (as in the delivery log; `none` of a delivery). What is decided afresh later counts again.
/// - `belfry_router_held_claimed`: held rows that came due and were claimed, by `channel` and `reason`; again where a claimant
///   died.
/// - `belfry_router_compositions`: pushes (or mails) that deliver several, by `channel`.
/// - `belfry_router_oversized_deliveries`: devices and addresses that no dispatch message had room for, by `channel`; their outcome
///   is `rejected`, with the reason `messageTooLarge`.
/// - `belfry_router_events_judged`: events that rules looked at, by the `result`: `fired` (something is sent), `quiet`, `refused`;
///   again where it had to be repeated.
/// - `belfry_router_rule_timers`: states of rules that came due, or whose people changed their settings.
/// - `belfry_router_rule_notices`: notices that rules made, by the `cause` (`event`, `timer`, `absence`).
/// - `belfry_router_batch_duration`: from a batch's receipt until each of its messages is routed or dead-lettered.
/// - `belfry_router_batch_failures`: attempts at a batch that failed, by the `remedy`: `wait` (tried again), `split` (tried
///   in halves), `park`.
/// - `belfry_router_postponed_messages`: attempts at messages that a gateway accepted and this router's catalogue does not
///   know; they come back.
/// - `belfry_router_parked_messages`: messages that went to `belfry.ingest.parked`.
struct RouterMetrics: Sendable {
  /// What is counted together.
  private struct Kind: Hashable {
    var channel: Channel
    var code: Int16
  }

  private let factory: any MetricsFactory
  private let duration: Timer
  private let deadLetteredMessages: Counter
  private let postponedMessages: Counter

  /// Nil where nobody measures: then nothing is counted, and nobody pays for it.
  init?(factory: any MetricsFactory = MetricsSystem.factory) {
    guard !(factory is NOOPMetricsHandler) else { return nil }
    self.factory = factory
    duration = Timer(label: "belfry_router_batch_duration", factory: factory)
    deadLetteredMessages = Counter(label: "belfry_router_parked_messages", factory: factory)
    postponedMessages = Counter(label: "belfry_router_postponed_messages", factory: factory)
  }

  /// Counts what was decided on notifications that a transaction stored; those that were there before counted then.
  func stored(_ notifications: [NewNotification], _ stored: [StoredNotification]) {
    var counts: [Kind: Int] = [:]
    for (notification, result) in zip(notifications, stored) where result.isNew {
      for entry in notification.plan.entries {
        counts[Kind(channel: entry.channel, code: entry.value.code), default: 0] += 1
      }
    }
    report(counts)
  }

  /// Counts decisions that were changed.
  func changed(_ changes: [DecisionChange], on channel: Channel) {
    report(changes.reduce(into: [:]) { $0[Kind(channel: channel, code: $1.to.code), default: 0] += 1 })
  }

  /// Counts what no message had room for.
  func refused(_ outcomes: [DeliveryStore.Record]) {
    for (channel, count) in outcomes.reduce(into: [Channel: Int](), { $0[$1.channel, default: 0] += 1 }) {
      Counter(
        label: "belfry_router_oversized_deliveries",
        dimensions: [("channel", channel.name)],
        factory: factory
      ).increment(by: count)
    }
  }

  /// Counts events that rules looked at.
  func evaluated(_ result: EvaluationBatch.Result) {
    let refused = result.refusals.count { $0 != nil }
    for (result, count) in [
      ("fired", result.fired), ("quiet", result.refusals.count - refused - result.fired), ("refused", refused),
    ] where count > 0 {
      Counter(label: "belfry_router_events_judged", dimensions: [("result", result)], factory: factory)
        .increment(by: count)
    }
    noticed(result.stored.count + result.others.count, because: "event")
  }

  /// Counts states of rules whose time had come.
  func ran(_ result: DueBatch.Result) {
    Counter(label: "belfry_router_rule_timers", factory: factory).increment(by: result.states)
    noticed(result.notices.count, because: "timer")
  }

  /// Counts notices about people of whom nothing was heard.
  func missed(_ count: Int) { noticed(count, because: "absence") }

  private func noticed(_ count: Int, because cause: String) {
    guard count > 0 else { return }
    Counter(label: "belfry_router_rule_notices", dimensions: [("cause", cause)], factory: factory).increment(by: count)
  }

  /// Counts what came due.
  func claimed(_ claim: HeldClaim) {
    let counts = claim.entries.reduce(into: [:]) { counts, entry in
      counts[Kind(channel: entry.key.channel, code: -entry.reason.rawValue), default: 0] += 1
    }
    for (kind, count) in counts {
      Counter(
        label: "belfry_router_held_claimed",
        dimensions: [("channel", kind.channel.name), ("reason", HoldReason(rawValue: -kind.code).name)],
        factory: factory
      ).increment(by: count)
    }
  }

  /// Counts what became of what was due.
  func settled(_ settlement: HeldSettlement, _ result: HeldSettlement.Result) {
    var counts: [Kind: Int] = [:]
    for change in settlement.changes {
      let channel = change.entry.key.channel
      guard result.changed[channel]?.contains(change.change.id) == true else { continue }
      counts[Kind(channel: channel, code: change.change.to.code), default: 0] += 1
    }
    for composition in settlement.compositions where result.composed.contains(composition.id) {
      guard let channel = composition.members.first?.entry.key.channel else { continue }
      counts[Kind(channel: channel, code: ChannelDecision.skip(.composed).code), default: 0] +=
        composition.members.count
      Counter(label: "belfry_router_compositions", dimensions: [("channel", channel.name)], factory: factory)
        .increment()
    }
    report(counts)
  }

  /// Counts a batch of which nothing is left to do.
  func finished(after time: Duration) { duration.record(duration: time) }

  /// Counts an attempt at a batch that failed. That the service stops is no failure.
  func failed(_ remedy: IngestBatch.Remedy) {
    let name: String
    switch remedy {
    case .stop: return
    case .wait: name = "wait"
    case .split: name = "split"
    case .deadLetter: name = "park"
    }
    Counter(label: "belfry_router_batch_failures", dimensions: [("remedy", name)], factory: factory).increment()
  }

  /// Counts a message that was dead-lettered.
  func deadLettered() { deadLetteredMessages.increment() }

  /// Counts messages that wait for another catalogue.
  func postponed(_ count: Int) { postponedMessages.increment(by: count) }

  private func report(_ counts: [Kind: Int]) {
    for (kind, count) in counts {
      let (decision, reason) =
        switch ChannelDecision(code: kind.code, until: nil, on: kind.channel) {
        case .deliver: ("deliver", "none")
        case .hold(_, let reason): ("hold", reason.name)
        case .skip(let reason): ("skip", reason.name)
        case .leftInbox(let state): ("skip", state.name)
        }
      Counter(
        label: "belfry_router_decisions",
        dimensions: [("channel", kind.channel.name), ("decision", decision), ("reason", reason)],
        factory: factory
      ).increment(by: count)
    }
  }
}
