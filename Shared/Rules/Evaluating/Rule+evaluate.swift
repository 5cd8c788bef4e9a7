extension Rule {
  /// Works out what follows: the same inputs always give the same answer, and a refused event changes nothing.
  ///
  /// - Parameters:
  ///   - key: As ``stateKey(of:zone:)`` gave it, or as the state was stored under; nil for a rule without states.
  ///   - state: Nil if there is none yet.
  ///   - settings: Those of the rule's user; the deployment's where it has none.
  public func evaluate(
    _ input: RuleInput,
    key: RuleStateKey?,
    state: RuleState?,
    settings: RuleSettings
  ) -> RuleEvaluation {
    var step = RuleStep(rule: self, key: key, settings: settings, state: state ?? RuleState())
    let outcome: RuleOutcome
    do throws(RuleRefusal) {
      outcome = try step.take(input)
    } catch {
      step = RuleStep(rule: self, key: key, settings: settings, state: state ?? RuleState())
      // What cannot be sent now cannot be sent later: the timer must not come due for ever.
      if case .due = input { step.setTimer(nil) }
      outcome = .refused(error)
    }
    let isChanged = step.state != (state ?? RuleState())
    return RuleEvaluation(
      state: isChanged ? step.state : state,
      isStateChanged: isChanged,
      effects: step.effects,
      trace: RuleTrace(rule: name, key: key, outcome: outcome)
    )
  }

  /// Everything at once for one event, e.g. to explain it: finds the key, asks for its state, and evaluates.
  public func evaluate(
    _ event: RuleEvent,
    settings: RuleSettings,
    state: (RuleStateKey) -> RuleState?
  ) -> RuleEvaluation {
    let key: RuleStateKey?
    do throws(RuleRefusal) {
      key = try stateKey(of: event, zone: settings.zone)
    } catch {
      let trace = RuleTrace(rule: name, key: nil, outcome: .refused(error))
      return RuleEvaluation(state: nil, isStateChanged: false, effects: [], trace: trace)
    }
    return evaluate(.event(event), key: key, state: key.flatMap(state), settings: settings)
  }
}
