/// What a send to a topic of FCM cannot have.
extension SendRequest {
  /// Bytes of names and values of the data that go to a topic: FCM takes 2,048 with all texts.
  public static let maximumTopicData = 1_500

  static func checkTopic(_ channels: Set<Channel>?, isSilent: Bool, _ reader: FieldReader) {
    if let channels, !channels.contains(.push) {
      reader.problem("channels", "a topic gets pushes alone: name push, or leave channels out")
    }
    if isSilent { reader.problem("silent", "a topic has no inbox: leave silent out") }
  }

  /// - Throws: ``ValidationError`` naming `data`.
  func checkTopicData(of type: NotificationType) throws(ValidationError) {
    let size = type.carried(of: data).reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    guard size > Self.maximumTopicData else { return }
    throw ValidationError([
      FieldError("data", "has \(size) bytes; at most \(Self.maximumTopicData) go to a topic")
    ])
  }
}
