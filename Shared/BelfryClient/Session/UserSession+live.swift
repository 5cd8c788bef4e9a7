import Foundation

/// Keeps the connection that ``LiveConnection`` wants.
extension UserSession {
  /// Does what was decided, and reports the state.
  func perform(_ step: LiveConnection.Step?) {
    switch step {
    case nil: break
    case .drop: letGo()
    case .attempt(let date):
      letGo()
      let (attempt, clock) = (connection.attempt, clock)
      connecting = lifetime.run { [weak self] in
        let wait = date.timeIntervalSince(clock.now)
        if wait > 0 { try? await clock.sleep(for: .seconds(wait)) }
        if !Task.isCancelled { await self?.connect(attempt) }
      }
    }
    outlets.states.send(connection.state)
  }

  func setPaused(_ value: Bool) {
    perform(connection.setPaused(value, now: clock.now))
  }

  func enterForeground() {
    resting?.cancel()
    resting = nil
    perform(connection.hurry(now: clock.now))
    wake()
  }

  func enterBackground() {
    resting?.cancel()
    flush()
    resting = later(timing.behind) { session in
      session.resting = nil
      session.perform(session.connection.rest(now: session.clock.now))
    }
  }

  func startViewing(_ entity: RelatedEntity?) async {
    viewing = entity
    await tellViewing(leaving: true)
  }

  /// The server refuses the user, unless somebody has let him try again meanwhile.
  func refuse(_ error: BelfryError) async {
    guard await tokens.isBlocked, !isOver else { return }
    perform(connection.refuse(now: clock.now))
    reportOnce(error)
  }

  /// What is held does not serve: another one.
  func replace(_ error: BelfryError) {
    perform(connection.failed(connection.attempt, error, now: clock.now))
  }

  private func letGo() {
    connecting?.cancel()
    connecting = nil
    guard let hub else { return }
    hub.close()
    self.hub = nil
    hasAskedToResume = false
    isResumed = false
    // What was read may have changed unnoticed.
    syncedAt = nil
  }

  private func connect(_ attempt: Int) async {
    guard connection.begin(attempt) else { return }
    outlets.states.send(connection.state)
    var failure: BelfryError
    do {
      let session = try await open()
      failure = await session.run { [weak self] event in await self?.take(event, of: session, attempt) }
    } catch {
      failure = error as? BelfryError ?? BelfryError(.unavailable)
    }
    // Cancelled: whoever did it has decided already.
    guard !isOver, attempt == connection.attempt else { return }
    perform(connection.failed(attempt, failure, now: clock.now))
    if failure.code != .offline { reportOnce(failure) }
    if !isFresh { doubt() }
  }

  private func open() async throws -> HubSession {
    let hub = try await hubURL()
    let address = try await HubAddress.negotiate(hub, by: rest)
    guard address.transports.contains(live.name) else {
      throw BelfryError(.unavailable, detail: "The hub does not offer \(live.name).")
    }
    let token: String
    switch address.bearer {
    case .other(let given): token = given
    case .user, .nobody: token = try await tokens.current()
    }
    let (live, http) = (live, rest.http)
    let channel = try await within(timing.request, of: clock) {
      try await live.open(address.url, token: token, via: http)
    }
    return HubSession(channel, clock: clock, timing: timing)
  }

  private func hubURL() async throws -> URL {
    if let hubAddress { return hubAddress }
    let configuration = try await rest.getBellConfiguration()
    limits = configuration.limits
    hubAddress = configuration.hub
    return configuration.hub
  }

  private func take(_ event: HubSession.Event, of session: HubSession, _ attempt: Int) async {
    if event != .ready {
      if hub === session { receive(event) }
      return
    }
    guard connection.opened(attempt, now: clock.now) else { return session.close() }
    isRefusalReported = false
    hub = session
    hasAskedToResume = false
    isResumed = false
    outlets.states.send(connection.state)
    wake()
    await tellViewing(leaving: false)
    // At first the page was asked for a moment ago, and what came since is resumed.
    if isFresh { await resume() } else { sync() }
  }

  private func tellViewing(leaving: Bool) async {
    if let viewing {
      try? await hub?.call("StartViewing", [viewing.type, viewing.id])
    } else if leaving {
      try? await hub?.call("StopViewing", [])
    }
  }
}
