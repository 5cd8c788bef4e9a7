/// The buttons of a type's pushes: iOS shows those of the category that a push names, and Belfry names the type.
public struct PushCategory: Sendable, Hashable, Identifiable {
  /// How a button works. The catalogue does not say it, so the app does.
  public struct Style: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Opens the app; else the app is woken behind.
    public static let opensApp = Style(rawValue: 1)
    /// Shown in red.
    public static let destructive = Style(rawValue: 2)
    /// The device has to be unlocked.
    public static let needsUnlock = Style(rawValue: 4)
  }

  public struct Action: Sendable, Hashable, Identifiable {
    /// ``BelfryAction/id``.
    public let id: String
    /// In the reader's language.
    public let title: String
    public let style: Style
  }

  /// How many buttons iOS shows.
  public static let maximumActions = 4

  /// The type's name.
  public let id: String
  public let actions: [Action]

  /// Those of a catalogue, of types that have buttons.
  ///
  /// - Parameters:
  ///   - catalogue: As ``RESTClient/getCatalogue(locale:)`` gives it.
  ///   - style: Of a button by its id; by default it opens the app.
  public static func all(
    of catalogue: CatalogueSummary,
    style: (BelfryAction.ID) -> Style = { _ in .opensApp }
  ) -> [PushCategory] {
    catalogue.types.compactMap { type in
      if type.actions.isEmpty { return nil }
      let actions = type.actions.prefix(maximumActions).map { Action(id: $0.id, title: $0.title, style: style($0.id)) }
      return PushCategory(id: type.name, actions: actions)
    }
  }
}

extension BelfryClient {
  /// Gives the system the buttons of all types, in a language. Call it at each start of the app: catalogues change.
  ///
  /// - Throws: ``BelfryError``; the system then keeps those that it has.
  public func registerCategories(
    in center: any SystemNotifications,
    locale: String? = nil,
    style: @Sendable (BelfryAction.ID) -> PushCategory.Style = { _ in .opensApp }
  ) async throws {
    let catalogue = try await rest.getCatalogue(locale: locale)
    await center.register(PushCategory.all(of: catalogue, style: style))
  }
}
