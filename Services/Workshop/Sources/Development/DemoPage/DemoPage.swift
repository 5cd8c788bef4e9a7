import Broker
import ConsoleCommands
import DevelopmentControl
import Foundation
import LocalStack
import NotificationModel
import NotificationQueue
import NotificationStore
import WallClock

/// What stands behind the page of the first hour: it knows what was sent and what came of it, and notifies whoever watches.
///
/// It looks at the database several times a second while something is under way, and hardly ever otherwise.
actor DemoPage {
  let stack: BelfryStack
  let devices: DemoDevices
  var gateway: GatewayClient { devices.gateway }
  let board: SwitchBoard
  /// That of the catalogue in force.
  private(set) var story: DemoStory
  /// Of that catalogue; nil until it is known.
  private var tag: String?
  private var catalogueLookedAt = Date.distantPast
  /// Whether `/docs/` has something by now.
  let hasDocs: @Sendable () -> Bool
  private let histories: HistoryStore
  private let broker: BrokerAdmin
  private let restarts: Restarts
  private let began: Date

  var book = TraceBook()
  private(set) var state: StackState
  /// As switches were published last.
  private var published: Set<DemoSwitch> = []
  private var watchers: [Int: AsyncStream<DevelopmentEvent>.Continuation] = [:]
  private var lastWatcher = 0
  private var bells: [HubListener] = []
  /// The simulator was started anew, and has no subscriptions any more.
  private var hasToSubscribe = false
  /// Something happened: it is looked at closely for a while.
  private var attentionUntil = Date.distantPast
  private var brokerLookedAt = Date.distantPast

  init(
    _ stack: BelfryStack,
    story: DemoStory,
    tag: String?,
    devices: DemoDevices,
    simulator: GatewayClient,
    histories: HistoryStore,
    ladder: RetryLadder,
    restarts: Restarts,
    hasDocs: @escaping @Sendable () -> Bool
  ) throws {
    self.stack = stack
    self.story = story
    self.tag = tag
    self.devices = devices
    self.histories = histories
    self.restarts = restarts
    self.hasDocs = hasDocs
    board = SwitchBoard(stack, story: story, devices: devices, simulator: simulator)
    broker = BrokerAdmin(configuration: try BrokerConfiguration(url: stack.rabbitmq.url), logger: .quiet)
    state = StackState(ladder: ladder)
    began = Date()
    state.story = Int(began.timeIntervalSince1970)
    state.addresses = Self.addresses(of: story, devices)
  }

  // MARK: Watching

  /// Everything as it stands, then as it changes.
  func watch() async -> (id: Int, events: AsyncStream<DevelopmentEvent>) {
    let (events, continuation) = AsyncStream.makeStream(
      of: DevelopmentEvent.self,
      bufferingPolicy: .bufferingNewest(1_000)
    )
    let on = await board.on
    for demoSwitch in story.switches {
      continuation.yield(.of(demoSwitch, isOn: on.contains(demoSwitch), in: story))
    }
    let now = Date()
    for trace in book.traces { continuation.yield(.of(trace, now: now)) }
    continuation.yield(.of(state, now: now))
    // The first one is the simulator's at which browsers have subscribed.
    if lastWatcher > 0 { hasToSubscribe = true }
    lastWatcher += 1
    watchers[lastWatcher] = continuation
    return (lastWatcher, events)
  }

  func leave(_ watcher: Int) {
    watchers.removeValue(forKey: watcher)?.finish()
  }

  private func publish(_ event: DevelopmentEvent) {
    for watcher in watchers.values { watcher.yield(event) }
  }

  /// What the simulator saw.
  func see(_ sighting: Sighting) {
    attend()
    guard let id = sighting.notification.flatMap({ NotificationID($0) }) else { return }
    let at = Date(timeIntervalSince1970: Double(sighting.at) / 1_000)
    switch sighting.kind {
    case .push: book.see(.init(notification: id, at: at, what: .arrived(.push, isSeenTwice: sighting.isSeenTwice)))
    case .mail: book.see(.init(notification: id, at: at, what: .arrived(.email, isSeenTwice: sighting.isSeenTwice)))
    case .refused: book.see(.init(notification: id, at: at, what: .refused(status: sighting.status)))
    }
  }

  /// Something is about to happen.
  func attend() {
    attentionUntil = Date().addingTimeInterval(5)
  }

  /// What the bells were sent, of whom and once each.
  private var inBells: Set<String> = []

  // MARK: Looking

  /// Looks after everything until cancelled.
  func run() async {
    while !Task.isCancelled {
      await look()
      // Cancelled, it is over.
      try? await Task.sleep(for: .milliseconds(100))
    }
    for bell in bells { bell.close() }
    await board.close()
  }

  private func look() async {
    await listen()
    await board.tend()
    if hasToSubscribe {
      // Another start meanwhile asks for it again.
      hasToSubscribe = false
      if await !subscribe() { hasToSubscribe = true }
    }
    let now = Date()
    if now.timeIntervalSince(catalogueLookedAt) >= 1 {
      catalogueLookedAt = now
      // A gateway that is away, or people who cannot be made now: it is tried again.
      try? await followCatalogue(now: now)
    }
    let open = book.unfinished(now: now)
    let isActive = !open.isEmpty || state.isBusy || now < attentionUntil
    // Four times a second while there is something to see; what waits until the morning is looked at every two seconds.
    let isClose = now < attentionUntil || open.contains { $0.status(now: now) == .going }
    var next = state
    if isActive, now >= historiesDue(isClose: isClose) {
      historiesLookedAt = now
      await readHistories(open, &next, now: now)
    }
    if now.timeIntervalSince(brokerLookedAt) >= (isActive ? 1 : 10) {
      brokerLookedAt = now
      // A broker that is away is shown by the services' own state.
      if let depths = try? await broker.depths(of: next.queueNames) { next.take(depths) }
    }
    next.hasDocs = hasDocs()
    next.services = services
    next.clocks = await clocks(now: now)
    next.ledger = book.ledger()
    next.addresses = Self.addresses(of: story, devices)
    await publish(next, now: now)
  }

  /// After an `apply` or a rollback the page is about what is in force then: its people, buttons and types.
  private func followCatalogue(now: Date) async throws {
    guard let changed = try await CatalogueInGateway(stack).change(from: tag, gateway) else { return }
    guard tag != nil else {
      tag = changed.tag
      return
    }
    let next = try DemoStory.of(try changed.catalogue())
    // Switches are about the people that there were.
    for demoSwitch in await board.on { try await board.turn(demoSwitch, on: false) }
    try await next.make(devices, serviceToken: try DemoPerson.serviceToken(stack)) { try $0.token(stack) }
    await board.play(next)
    story = next
    tag = changed.tag
    for bell in bells where !next.people.contains(where: { $0.id == bell.user }) { bell.close() }
    state.story = max(state.story + 1, Int(now.timeIntervalSince1970))
    publish(.of(state, now: now))
  }

  /// As browsers do whose push service has dropped their subscriptions.
  ///
  /// - Returns: False if the gateway or the simulator is away: then it is tried again.
  private func subscribe() async -> Bool {
    do {
      for member in story.people where member.carrier == .webPush {
        try await devices.register(member, token: try member.token(stack))
      }
      return true
    } catch {
      return false
    }
  }

  private static func addresses(of story: DemoStory, _ devices: DemoDevices) -> [String: String] {
    Dictionary(story.people.map { ($0.id, devices.addresses[$0]) }) { $1 }
  }

  private var historiesLookedAt = Date.distantPast

  private func historiesDue(isClose: Bool) -> Date {
    historiesLookedAt.addingTimeInterval(isClose ? 0.25 : 2)
  }

  private func publish(_ next: StackState, now: Date) async {
    let on = await board.on
    for changed in on.symmetricDifference(published) {
      publish(.of(changed, isOn: on.contains(changed), in: story))
    }
    published = on
    let grown = book.takeChanged()
    for trace in book.traces where grown.contains(trace.id) { publish(.of(trace, now: now)) }
    guard next != state else { return }
    state = next
    publish(.of(next, now: now))
  }

  /// What the bells got: each has a client of its own, as if its owner's app were open.
  private func listen() async {
    for bell in bells {
      for arrival in bell.take() {
        attend()
        guard let id = NotificationID(arrival.notification.id) else { continue }
        if inBells.count > 10_000 { inBells = [] }
        let isSeenTwice = !inBells.insert("\(bell.user) \(arrival.notification.id)").inserted
        book.see(.init(notification: id, at: arrival.at, what: .arrived(.inApp, isSeenTwice: isSeenTwice)))
      }
    }
    bells.removeAll { !$0.isOpen }
    guard let port = stack.services(.inapp).first(where: \.isRunning)?.port else { return }
    for member in story.people where !bells.contains(where: { $0.user == member.id }) {
      // A hub that is not there yet is asked again in the next round.
      guard let token = try? member.token(stack),
        let bell = try? await HubListener.connect(port: port, token: token, user: member.id)
      else { return }
      bells.append(bell)
    }
  }

  private func readHistories(_ open: [DemoTrace], _ next: inout StackState, now: Date) async {
    let most = open.reduce(20) { $0 + $1.parts.count }
    var held: [StackState.Held] = []
    for member in story.people {
      guard let user = member.user,
        // The database may be away for a moment: what is known stays.
        let latest = try? await histories.latest(of: user, before: nil, limit: min(most, 300))
      else { return }
      let zone = await zone(of: member)
      let since = began.addingTimeInterval(-60)
      book.learn(latest, of: member, in: zone, since: since, catalogue: story.catalogue, now: Date())
      for history in latest { held += self.held(history, of: member, in: zone, now: now) }
    }
    next.held = held
  }

  private func held(
    _ history: NotificationHistory,
    of member: DemoPerson,
    in zone: Zone,
    now: Date
  ) -> [StackState.Held] {
    history.explanation(in: zone, now: now).lines.compactMap { line in
      guard case .hold(let until, let reason) = line.decision else { return nil }
      return StackState.Held(
        user: member.id,
        notification: history.id.description,
        request: history.requestID.description,
        channel: line.channel.name,
        type: history.type,
        label: book.traces.last { $0.requests.contains(history.requestID) }?.label ?? story.catalogue.name(of: history),
        reason: reason.name,
        until: until,
        words: DemoWords.plain(line.words, zone)
      )
    }
  }

  private var services: [StackState.Service] {
    (stack.services + [stack.simulator]).map { process in
      StackState.Service(
        name: process.name,
        service: process.service?.rawValue ?? "simulator",
        isUp: process.isRunning,
        restarts: restarts[process.name]
      )
    }
  }

  func zone(of member: DemoPerson) async -> Zone {
    let place = member == story.person(of: .night) ? await board.night : nil
    return Zone(place?.zone ?? DemoPerson.timezone) ?? .utc
  }

  private func clocks(now: Date) async -> [StackState.Clock] {
    let night = await board.night
    var clocks: [StackState.Clock] = []
    for member in story.people {
      let zone = await zone(of: member)
      let isAtNight = member == story.person(of: .night) && night != nil
      let hours = QuietHours(
        start: LocalTime(DemoNight.start) ?? .midnight,
        end: LocalTime(DemoNight.end) ?? .midnight,
        zone: zone
      )
      clocks.append(
        StackState.Clock(
          user: member.id,
          timezone: zone.identifier,
          place: isAtNight ? night?.name : nil,
          time: String(zone.localTime(at: now).description.prefix(5)),
          isQuiet: isAtNight && hours?.window(at: now) != nil,
          quietFrom: isAtNight ? DemoNight.start : nil,
          quietUntil: isAtNight ? DemoNight.end : nil
        )
      )
    }
    return clocks
  }
}
