import Foundation
import HTTPTypes
import NotificationStore
import Testing

@testable import Gateway
@testable import NotificationModel

/// The coarse form, which always has a threshold, over a catalogue without such a setting.
@Suite struct UndeclaredThresholdTests {
  private let path = "/api/v1/notification-preferences"
  private static let catalogue = Result {
    let form = try CatalogueForm.read(
      yaml: """
        version: 1
        defaults: { channels: { inApp: true }, priority: normal, timeToLiveDays: 30, title: T, body: B }
        composition: { title: "{{count}}", body: "{{titles}}" }
        types:
        - { code: 2, name: LowBalanceWarning, category: Balance & Transactions }
        - { code: 20, name: TaskAssigned, category: Tasks }
        """,
      source: "test"
    )
    return try Catalogue([form], Channel.routing)
  }

  @Test(arguments: [nil, 25] as [Decimal?])
  func `it is shown as stored, else as at first; put back it stays, and another is refused`(_ stored: Decimal?)
    async throws
  {
    let catalogue = try Self.catalogue.get()
    #expect(catalogue.settings.isEmpty)
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let store = SettingsStore(client: gateway.database)
      let numbers = stored.map { [CoarseSettings.threshold: $0] } ?? [:]
      _ = try await store.change(of: ann.id, in: catalogue.types, at: .now) { $0.numbers = numbers }
      let number = stored ?? CoarseSettings.firstThreshold
      let shown = try await gateway.call(.get, path, as: ann).expect(.ok)
      #expect(shown.text.hasSuffix(#""lowBalanceThreshold":\#(number)}"#))
      let off = shown.text.replacing(#""inAppChores":true"#, with: #""inAppChores":false"#)
      let changed = try await gateway.call(.put, path, as: ann, body: off).expect(.ok)
      #expect(changed.text == off)
      let other = shown.text.replacing("lowBalanceThreshold\":\(number)", with: "lowBalanceThreshold\":12.5")
      let refusal = try await gateway.call(.put, path, as: ann, body: other)
      #expect(try refusal.expectProblem("validation", .badRequest) == [CoarseSettings.threshold])
      #expect(try await gateway.call(.get, path, as: ann).text == off)
      #expect(try await store.settings(of: ann.id).numbers == numbers)
    }
  }
}
