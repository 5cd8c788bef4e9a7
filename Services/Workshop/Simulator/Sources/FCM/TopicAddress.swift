import Foundation

/// The path of a registration's topic subscriptions, or of one of them.
struct TopicAddress: Sendable, Equatable {
  let project: String
  /// A token or an installation ID.
  let registration: String
  /// Nil for all of them.
  let topic: String?

  /// Reads `/v1/projects/{project}/registrations/{registration}/topicSubscriptions`, or that with `/{topic}`; nil for any
  /// other path.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { String($0).removingPercentEncoding ?? "" }
    guard (6...7).contains(parts.count), !parts.contains(""),
      parts[0] == "v1", parts[1] == "projects", parts[3] == "registrations", parts[5] == "topicSubscriptions"
    else { return nil }
    project = parts[2]
    registration = parts[4]
    topic = parts.count > 6 ? parts[6] : nil
  }
}
