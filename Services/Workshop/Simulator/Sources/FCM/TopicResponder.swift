import BelfryJSON

/// Answers the calls that subscribe a registration to a topic, or end that, without the network.
///
/// Source: https://firebase.google.com/docs/reference/fcm/fcmtopics/rest/v1/projects.registrations.topicSubscriptions
struct TopicResponder: Sendable {
  let project: String
  let faults: FaultList
  let subscriptions: TopicSubscriptions

  /// - Returns: The reply to a request whose bearer may do this, and how long it is to be held back.
  func respond(to request: FCMRequest, at address: TopicAddress, body: [UInt8]) -> (FCMReply, Duration) {
    let decision = faults.decide(.topic, target: address.registration)
    if let effect = decision.effect, !effect.accepts {
      // Of a topic, the topic that it is about.
      let topic = address.topic ?? field("topic_name", "topicName", of: request)
      let target = effect.scope == .topic ? topic ?? "" : address.registration
      return (effect.reply(project: project, target: target), decision.delay)
    }
    do throws(FCMFailure) {
      let answer =
        switch (request.method, address.topic) {
        case (.post, nil): try create(request, address, body)
        case (.delete, let topic?): try delete(request, address, topic)
        default: throw .unknownPath
        }
      return (decision.effect?.reply ?? .answer(status: 200, body: answer), decision.delay)
    } catch {
      return (.failure(error), decision.delay)
    }
  }

  private func create(_ request: FCMRequest, _ address: TopicAddress, _ body: [UInt8]) throws(FCMFailure) -> [UInt8] {
    try check(address, permission: "create")
    guard let topic = field("topic_name", "topicName", of: request), FCMValidator.isTopic(topic) else {
      throw .invalidArgument("topic_name", "Malformed topic name")
    }
    do { _ = try JSONParser.parse(body.isEmpty ? Array("{}".utf8) : body) } catch {
      throw .malformed(error.description)
    }
    switch subscriptions.subscribe(address.registration, to: topic) {
    case .created(let subscription): return json(of: subscription)
    case .existed: throw .subscriptionExists
    case .refused: throw .quotaExceeded
    }
  }

  private func delete(_ request: FCMRequest, _ address: TopicAddress, _ topic: String) throws(FCMFailure) -> [UInt8] {
    try check(address, permission: "delete")
    let existed = subscriptions.unsubscribe(address.registration, from: topic)
    guard existed || field("allow_missing", "allowMissing", of: request) == "true" else { throw .subscriptionMissing }
    return Array("{}\n".utf8)
  }

  private func check(_ address: TopicAddress, permission: String) throws(FCMFailure) {
    guard address.project == project else {
      throw .wrongProject(address.project, permission: "cloudmessaging.topicSubscriptions.\(permission)")
    }
    guard FCMValidator.isRegistration(address.registration) else { throw .invalidToken }
  }

  /// A parameter of the query, whichever of its two spellings was used.
  private func field(_ name: String, _ camelCase: String, of request: FCMRequest) -> String? {
    let fields = FormFields(Array(request.query.utf8))
    return fields[name] ?? fields[camelCase]
  }

  private func json(of subscription: TopicSubscription) -> [UInt8] {
    let parent = "projects/\(project)/registrations/\(subscription.registration)"
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("name", "\(parent)/topicSubscriptions/\(subscription.topic)")
      writer.field("topic_name", subscription.topic)
      writer.field("create_time", subscription.createdAt.rfc3339)
    }
    return writer.bytes
  }
}
