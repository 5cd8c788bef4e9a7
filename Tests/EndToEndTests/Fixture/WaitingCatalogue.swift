import Foundation

/// The catalogue of an operator whose notifications wait, in every way there is, and who sends bulk mails. The shared stack has it
/// beside the built-in one; nobody else uses its types.
enum WaitingCatalogue {
  static let text = """
    version: 1
    defaults: { channels: { inApp: true, push: true }, priority: normal, timeToLiveDays: 1, title: T, body: B }
    categories:
    - { name: Waiting }
    - { name: Offers, channels: { email: true }, mail: { stream: bulk, unsubscribe: true } }
    types:
    - { code: 914, name: WeeklyOffers, category: Offers, title: "Offers {{label}}" }
    - { code: 910, name: ParcelMoved, category: Waiting, title: "Parcel {{label}}", wait: { push: 3s } }
    - code: 911
      name: CommentAdded
      category: Waiting
      title: "Comment {{label}}"
      digest: { channel: push, every: 2s, key: "{{thread}}", title: "{{count}} in {{thread}}", body: "Last {{label}}" }
    - { code: 912, name: HouseNews, category: Waiting, title: "News {{label}}", quietHours: digest }
    - { code: 913, name: MeterNotice, category: Waiting, title: "Meter {{label}}", wait: { push: 3s } }
    events:
    - { name: MeterRead, relay: false }
    - { name: GoalMoved, relay: false }
    rules:
    - name: meter-low
      on: MeterRead
      user: "{{userId}}"
      key: "{{meter}}"
      when: { value: level, previous: former, fallsBelow: 10 }
      data: { label: "low {{number}}" }
      notify: MeterNotice
    - name: meter-first
      on: MeterRead
      user: "{{userId}}"
      key: "{{meter}}"
      when: first
      data: { label: "first {{meter}}" }
      notify: MeterNotice
    - name: goal-reached
      on: GoalMoved
      user: "{{userId}}"
      key: "{{goal}}"
      when: { value: percent, reaches: [25, 50, 75, 100] }
      data: { label: "reached {{goal}} {{percent}}" }
      notify: MeterNotice
    """

  /// The file that has it, until the test process ends.
  static let file: Result<String, any Error> = Result {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "belfry-waiting-\(ProcessInfo.processInfo.processIdentifier).yaml").path
    Cleanup.remove(path)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }
}
