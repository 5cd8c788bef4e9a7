extension DeliveryTarget {
  /// What FCM delivers by its own list.
  public init(_ topic: TopicAudience) {
    self.init(id: topic.text, address: topic.text, audience: topic.kind)
  }
}
