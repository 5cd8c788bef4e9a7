import BelfryJSON

/// Decides whether FCM would accept a `messages:send` body, and why not.
///
/// Sources: the reference of projects.messages, "Customize a message across platforms", and Apple's limits on headers.
enum FCMValidator {
  static func validate(_ body: [UInt8]) throws(FCMFailure) -> PushMessage {
    let request: JSONValue
    do { request = try JSONParser.parse(body) } catch { throw .malformed(error.description) }
    try FCMShape.check(request, .message(FCMSchema.request), at: "")
    guard let range = request.members?.last(where: { $0.name == "message" })?.range,
      let message = request["message"]
    else { throw .invalidArgument("message", "Message is missing") }

    let target = try target(message)
    try checkData(message["data"], at: "message.data")
    try checkAndroid(message["android"])
    try checkAPNS(message["apns"])
    try checkWebPush(message["webpush"])
    for (block, path) in [
      (message, "message"), (message["android"], "message.android"), (message["apns"], "message.apns"),
      (message["webpush"], "message.webpush"),
    ] {
      try checkLabel(block?[field: "fcm_options"]?[field: "analytics_label"], at: "\(path).fcm_options.analytics_label")
    }
    try FCMSize.check(message, limit: target.isDevice ? FCMSize.deviceLimit : FCMSize.topicLimit)

    return PushMessage(
      target: target,
      collapseKey: message["android"]?[field: "collapse_key"]?.string,
      apnsCollapseID: message["apns"]?["headers"]?["apns-collapse-id"]?.string,
      tag: tag(message),
      webTag: message["webpush"]?["notification"]?["tag"]?.string,
      notificationID: message["data"]?["notificationId"]?.string,
      validateOnly: request[field: "validate_only"]?.boolean ?? false,
      range: range
    )
  }

  private static func tag(_ message: JSONValue) -> String? {
    let android = message["android"]?["notification"]
    if android != nil || message["notification"] != nil { return android?["tag"]?.string }
    return message["data"]?["tag"]?.string
  }

  // MARK: Target

  private static func target(_ message: JSONValue) throws(FCMFailure) -> PushMessage.Target {
    let token = message["token"]?.string
    let fid = message["fid"]?.string
    let topic = message["topic"]?.string
    let condition = message["condition"]?.string
    switch (token, fid, topic, condition) {
    case (let token?, nil, nil, nil):
      guard isRegistration(token) else { throw .invalidToken }
      return .token(token)
    case (nil, let fid?, nil, nil):
      guard isRegistration(fid) else {
        throw .invalidArgument("message.fid", "The Firebase installation ID is not valid")
      }
      return .fid(fid)
    case (nil, nil, let topic?, nil):
      guard isTopic(topic) else { throw .invalidArgument("message.topic", "Malformed topic name") }
      return .topic(topic)
    case (nil, nil, nil, let condition?):
      try check(condition: condition)
      return .condition(condition)
    case (nil, nil, nil, nil):
      throw .invalidArgument("message", "Recipient of the message is not set.")
    default:
      throw .invalidJSON(
        at: "message",
        "Invalid value at 'message' (oneof), oneof field 'target' is already set. Only one of fid, token, topic and"
          + " condition may be set."
      )
    }
  }

  /// Real tokens are base64url with colons, and installation IDs 22 characters of it; those of a demo may be anything
  /// visible.
  static func isRegistration(_ text: String) -> Bool {
    (1...4_096).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  static func isTopic(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,900}/) != nil
  }

  private static func check(condition: String) throws(FCMFailure) {
    let topics = condition.matches(of: /'([a-zA-Z0-9\-_.~%]+)' in topics/)
    guard !topics.isEmpty else { throw .invalidArgument("message.condition", "Invalid condition expression provided.") }
    guard topics.count <= 5 else {
      throw .invalidArgument("message.condition", "Condition has too many topics; at most 5 are allowed.")
    }
    let rest = condition.replacing(/'[a-zA-Z0-9\-_.~%]+' in topics/, with: "")
    guard rest.wholeMatch(of: /(\s|&&|\|\||!|\(|\))*/) != nil else {
      throw .invalidArgument("message.condition", "Invalid condition expression provided.")
    }
  }

  // MARK: Blocks

  /// Source: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages#FcmOptions
  private static func checkLabel(_ label: JSONValue?, at path: String) throws(FCMFailure) {
    guard let text = label?.string, text.wholeMatch(of: /[a-zA-Z0-9\-_.~%]{1,50}/) == nil else { return }
    throw .invalidArgument(path, "Invalid analytics label: must match ^[a-zA-Z0-9-_.~%]{1,50}$")
  }

  private static func checkData(_ data: JSONValue?, at path: String) throws(FCMFailure) {
    for (index, member) in (data?.members ?? []).enumerated() where isReserved(member.name) {
      throw .invalidArgument("\(path)[\(index)].key", "Invalid data payload key: \(member.name)")
    }
  }

  private static func isReserved(_ key: String) -> Bool {
    key == "from" || key == "message_type" || key.hasPrefix("google") || key.hasPrefix("gcm") || key.isEmpty
  }

  private static func checkAndroid(_ android: JSONValue?) throws(FCMFailure) {
    guard let android else { return }
    try checkData(android["data"], at: "message.android.data")
    if let text = android["ttl"]?.string {
      guard let seconds = FCMShape.seconds(text), (0...2_419_200).contains(seconds) else {
        throw .invalidArgument("message.android.ttl", "Invalid ttl: must be between 0 and 2419200 seconds")
      }
    }
    if let color = android["notification"]?["color"]?.string {
      guard color.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil else {
        throw .invalidArgument("message.android.notification.color", "Invalid color: must be in the form #RRGGBB")
      }
    }
  }

  private static func checkAPNS(_ apns: JSONValue?) throws(FCMFailure) {
    guard let headers = apns?["headers"]?.members else { return }
    for header in headers {
      let value = header.value.string ?? ""
      let isValid =
        switch header.name.lowercased() {
        case "apns-priority": ["1", "5", "10"].contains(value)
        case "apns-expiration": (Int(value) ?? -1) >= 0
        case "apns-collapse-id": (1...64).contains(value.utf8.count)
        default: true
        }
      guard isValid else {
        throw .invalidArgument("message.apns.headers.\(header.name)", "Invalid APNs header \(header.name): \(value)")
      }
    }
  }

  private static func checkWebPush(_ webpush: JSONValue?) throws(FCMFailure) {
    guard let webpush else { return }
    try checkData(webpush["data"], at: "message.webpush.data")
    if let link = webpush[field: "fcm_options"]?["link"]?.string {
      guard link.lowercased().hasPrefix("https://") else {
        throw .invalidArgument("message.webpush.fcm_options.link", "Invalid link: must be an https URL")
      }
    }
    for header in webpush["headers"]?.members ?? [] where header.name.lowercased() == "ttl" {
      guard let seconds = header.value.string.flatMap({ Int($0) }), (0...2_419_200).contains(seconds) else {
        throw .invalidArgument("message.webpush.headers.TTL", "Invalid TTL: must be between 0 and 2419200 seconds")
      }
    }
  }
}

extension PushMessage.Target {
  var isDevice: Bool {
    switch self {
    case .token, .fid: true
    case .topic, .condition: false
    }
  }
}

extension JSONValue {
  /// A field of a protobuf message, whichever of its two spellings was used.
  subscript(field name: String) -> JSONValue? {
    if let value = self[name] { return value }
    guard let value = members?.last(where: { FCMShape.canonical($0.name) == name })?.value, value != .null else {
      return nil
    }
    return value
  }
}
