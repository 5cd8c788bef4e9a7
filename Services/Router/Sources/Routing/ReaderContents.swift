import NotificationModel
import NotificationQueue

/// A job's content in the words of each of its readers: worded once for those who read alike, and kept once for those who are
/// sent the same words. Pure.
struct ReaderContents {
  private struct Words: Hashable {
    var title: String
    var body: String
    var data: [String: String]
    var isTextTooLong: Bool
    /// Only of contents whose buttons depend on it.
    var locale: String?
  }

  private let job: Int
  private let type: NotificationType
  private let wording: Wording
  private let dependsOnZone: Bool
  private let hasLocalizedActions: Bool
  /// Indices into the batch's contents.
  private var byReader: [Wording.Reader: Int] = [:]
  private var byWords: [Words: Int] = [:]

  /// Nil for a job that says the same to all.
  ///
  /// - Parameter index: The job's; its content for readers of whom nothing is known has the same.
  init?(_ job: RoutingJob, index: Int) {
    guard let wording = job.order.wording, wording.dependsOnReader(job.type) else { return nil }
    self.job = index
    self.wording = wording
    type = job.type
    dependsOnZone = wording.dependsOnZone(type)
    hasLocalizedActions = type.actions.contains { $0.title.locales.count > 1 }
    byReader[Wording.Reader(locale: nil)] = index
    byWords[words(of: job.order.content)] = index
  }

  /// Where among the batch's contents the recipient's words stand; new ones are added.
  mutating func index(for recipient: Recipient, in contents: inout [NotificationContent]) -> Int {
    let reader = Wording.Reader(locale: recipient.locale, zone: dependsOnZone ? recipient.zone : nil)
    if let known = byReader[reader] { return known }
    let index = place(contents[job].worded(wording, as: type, for: reader), in: &contents)
    byReader[reader] = index
    return index
  }

  /// - Parameter content: Nil if this router's catalogue cannot word it: then it stays as another router did.
  private mutating func place(_ content: NotificationContent?, in contents: inout [NotificationContent]) -> Int {
    guard let content else { return job }
    let words = words(of: content)
    if let known = byWords[words] { return known }
    byWords[words] = contents.count
    contents.append(content)
    return contents.count - 1
  }

  private func words(of content: NotificationContent) -> Words {
    Words(
      title: content.title,
      body: content.body,
      data: content.data,
      isTextTooLong: content.isTextTooLong,
      locale: hasLocalizedActions ? content.locale : nil
    )
  }
}
