// Of SwiftUI, what one modifier of the client needs. Nothing of it draws.

@MainActor
public protocol View {}

@MainActor
public protocol ViewModifier {
  typealias Content = ModifiedContent
  associatedtype Body: View
  func body(content: Content) -> Body
}

public struct ModifiedContent: View {
  public init() {}
}

public enum ScenePhase: Sendable { case background, inactive, active }

public struct EnvironmentValues: Sendable {
  /// The app's.
  @MainActor public static var current = EnvironmentValues()

  public var scenePhase = ScenePhase.active

  public init() {}
}

@propertyWrapper
public struct Environment<Value> {
  private let path: KeyPath<EnvironmentValues, Value>

  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

  @MainActor public var wrappedValue: Value { EnvironmentValues.current[keyPath: path] }
}

extension View {
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View {
    modifier.body(content: ModifiedContent())
  }

  public func task<ID: Equatable>(id: ID, _ action: @escaping @Sendable () async -> Void) -> some View {
    ViewWithTask(ids: [id], hasID: { $0 as? [ID] == [id] }, action: action)
  }
}

private struct ViewWithTask: View {
  /// The one, in a list: an optional in an `Any` may be unwrapped.
  let ids: Any
  let hasID: (Any) -> Bool
  let action: @Sendable () async -> Void
}

/// A place for a view, whose task runs as long as the view is there, and anew for another id.
@MainActor
public final class Screen {
  private var shown: ViewWithTask?
  private var task: Task<Void, Never>?

  public init() {}

  /// Also again, as after each change of what the view depends on.
  public func show(_ view: some View) {
    guard let view = view as? ViewWithTask else { return hide() }
    if let shown, view.hasID(shown.ids) { return }
    hide()
    (shown, task) = (view, Task { await view.action() })
  }

  public func hide() {
    task?.cancel()
    (shown, task) = (nil, nil)
  }
}
