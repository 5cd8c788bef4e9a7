// Of SwiftUI, what one modifier of the client needs. Nothing of it draws.

@MainActor
public protocol View {}

@MainActor
public protocol ViewModifier {
  typealias Content = ModifiedContent
  associatedtype Body: View
  func body(content: Content) -> Body
}

public struct ModifiedContent: View {}

public enum ScenePhase: Sendable { case background, inactive, active }

public struct EnvironmentValues: Sendable {
  public var scenePhase = ScenePhase.active
}

@propertyWrapper
public struct Environment<Value> {
  private let path: KeyPath<EnvironmentValues, Value>

  public init(_ path: KeyPath<EnvironmentValues, Value>) { self.path = path }

  public var wrappedValue: Value { EnvironmentValues()[keyPath: path] }
}

extension View {
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View {
    modifier.body(content: ModifiedContent())
  }

  public func task<ID: Equatable>(id: ID, _ action: @escaping @Sendable () async -> Void) -> some View {
    ModifiedContent()
  }
}
