// Not compiled on Linux, which has no SwiftUI: tests compile it there against declarations (Tests/AppleDeclarations).
#if canImport(SwiftUI) || BELFRY_APPLE_DECLARATIONS
  #if BELFRY_APPLE_DECLARATIONS
    public import AppleDeclarations
    @testable public import BelfryClient
  #else
    public import SwiftUI
  #endif

  extension View {
    /// Says that this view shows an entity: no push about it comes while it is on the screen and the app is in front. A view within it that
    /// says another one counts, as long as it is there.
    ///
    /// ```swift
    /// ChatView(chat).belfryViewing(client, RelatedEntity(type: "conversation", id: chat.id))
    /// ```
    ///
    /// - Parameter entity: Nil: none yet.
    public func belfryViewing(_ client: BelfryClient, _ entity: RelatedEntity?) -> some View {
      modifier(ViewingModifier(client: client, entity: entity))
    }
  }

  private struct ViewingModifier: ViewModifier {
    let client: BelfryClient
    let entity: RelatedEntity?
    @Environment(\.scenePhase) private var phase

    func body(content: Content) -> some View {
      let shown = phase == .active ? entity : nil
      return content.task(id: shown) {
        if let shown { await client.whileViewing(shown) }
      }
    }
  }
#endif
