import Foundation
import Testing

@testable import NotificationModel

@Suite struct HeldBatchTests {
  private static let due = DecisionSample.noon
  private static let user = UserID(UUID(uuidString: "6f1c2b7e-3d4a-4e5f-8a9b-0c1d2e3f4a5b") ?? UUID())

  private static func id(_ number: Int) -> NotificationID {
    let digits = String(repeating: "0", count: 12 - String(number).count) + String(number)
    return NotificationID("019a0000-0000-7000-8000-\(digits)") ?? NotificationID(UUID())
  }

  private static func texts() throws -> CompositionTexts {
    CompositionTexts(
      try LocalizedTemplate(
        title: "{{count}} notifications",
        body: "{{titles}}{{#others}} and {{others}} more{{/others}}"
      )
    )
  }

  private static func item(
    _ number: Int,
    title: String? = nil,
    policy: QuietHoursPolicy = .defer,
    reason: HoldReason = .quietHours,
    digest key: String? = nil
  ) throws -> HeldItem {
    let text = try LocalizedTemplate(title: "{{count}} deposits", body: "the last of {{amount}}")
    return HeldItem(
      id: id(number),
      type: 10,
      title: title ?? "No. \(number)",
      data: ["amount": "\(number) EUR"],
      reason: reason,
      due: due - Double(10 - number),
      policy: policy,
      gathering: key.map { HeldItem.Gathering(key: $0, texts: text) }
    )
  }

  private func outputs(
    _ items: [HeldItem],
    limit: Int? = 3,
    channel: Channel = .push
  ) throws -> [HeldOutput] {
    HeldBatch(user: Self.user, channel: channel, locale: "de-AT", items: items)
      .outputs(limit: limit, texts: try Self.texts())
  }

  private func texts(_ outputs: [HeldOutput]) -> [String] {
    outputs.map { output in
      switch output {
      case .single(let id): String(id.description.suffix(1))
      case .composed(let composition): "\(composition.text.title): \(composition.text.body)"
      }
    }
  }

  @Test func `up to three go out one by one, more as one`() throws {
    #expect(texts(try outputs((1...3).map { try Self.item($0) })) == ["1", "2", "3"])
    let four = try outputs((1...4).map { try Self.item($0) })
    #expect(texts(four) == ["4 notifications: No. 1, No. 2, No. 3 and 1 more"])
    #expect(four.flatMap(\.members) == (1...4).map(Self.id))
    #expect(texts(try outputs((1...9).map { try Self.item($0) }, limit: nil)).count == 9)
    #expect(try outputs([]).isEmpty)
  }

  @Test func `the same title is listed once`() throws {
    let items = try (1...5).map { try Self.item($0, title: $0 < 4 ? "New message" : "Goal reached") }
    #expect(texts(try outputs(items)) == ["5 notifications: New message, Goal reached"])
  }

  @Test func `a digest announces its own in its type's words, apart by key, and counts as one`() throws {
    let items = try [
      Self.item(1, digest: "a"), Self.item(2), Self.item(3, digest: "a"), Self.item(4, digest: "b"),
      Self.item(5, digest: "a"),
    ]
    let outputs = try outputs(items)
    #expect(texts(outputs) == ["3 deposits: the last of 5 EUR", "2", "4"])
    #expect(outputs.map(\.members) == [[1, 3, 5].map(Self.id), [Self.id(2)], [Self.id(4)]])
    guard case .composed(let digest) = outputs[0] else { return }
    #expect(digest.type == 10)
  }

  @Test func `what quiet hours make a digest is delivered as one with whatever else was held`() throws {
    let items = try [Self.item(1), Self.item(2, policy: .compose)]
    #expect(texts(try outputs(items)) == ["2 notifications: No. 1, No. 2"])
    // It waited for something else, and alone there is nothing to compose.
    #expect(texts(try outputs([Self.item(1), Self.item(2, policy: .compose, reason: .unread)])) == ["1", "2"])
    #expect(texts(try outputs([Self.item(2, policy: .compose)])) == ["2"])
  }

  @Test func `what pierces is delivered by itself`() throws {
    var items = try (2...6).map { try Self.item($0) }
    items.insert(try Self.item(1, policy: .pierce, reason: .unread), at: 0)
    items.append(try Self.item(7, policy: .pierce, reason: .unread))
    #expect(texts(try outputs(items)) == ["1", "5 notifications: No. 2, No. 3, No. 4 and 2 more", "7"])
  }

  @Test func `every one is delivered exactly once, and composing again gives the same`() throws {
    var dice = SampleDice(seed: 5)
    for _ in 0..<300 {
      let items = try (1...Int.random(in: 1...9, using: &dice)).map { number in
        try Self.item(
          number,
          policy: QuietHoursPolicy.allCases.randomElement(using: &dice) ?? .defer,
          reason: HoldReason.allCases.randomElement(using: &dice) ?? .paused,
          digest: dice.chance(40) ? String(Int.random(in: 0...1, using: &dice)) : nil
        )
      }
      let outputs = try outputs(items)
      #expect(outputs.flatMap(\.members).sorted() == items.map(\.id))
      #expect(outputs.allSatisfy { $0.members == $0.members.sorted() })
      #expect(try outputs == self.outputs(items))
      let ids = outputs.compactMap { if case .composed(let composition) = $0 { composition.id } else { nil } }
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test func `a composition's id is of the user, the channel, the due time and the digest`() {
    func id(_ user: UserID = Self.user, _ channel: Channel = .push, _ due: Date = Self.due, _ key: String = "")
      -> NotificationID
    {
      NotificationID(user: user, channel: channel, due: due, type: nil, key: key)
    }
    #expect(id() == id())
    #expect(id().time == Self.due)
    let others = [
      id(UserID(UUID())), id(Self.user, .email), id(Self.user, .push, Self.due + 1),
      id(Self.user, .push, Self.due, "a"),
    ]
    #expect(Set(others + [id()]).count == 5)
  }
}
