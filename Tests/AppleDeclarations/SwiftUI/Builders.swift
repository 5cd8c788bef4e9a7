// Declarations of Apple's SwiftUI, as far as docs/samples/app uses it, so that the compiler checks that sample's calls on Linux: names,
// labels, isolation. Names and forms are Apple's, with fewer overloads. Nothing is drawn, and a body is never asked for.

public import AppleDeclarations
@_exported public import Foundation

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

/// What has no body of its own.
public protocol LeafView: View where Body == Never {}
extension LeafView { public var body: Never { fatalError("nothing is drawn") } }

extension Never: View { public var body: Never { fatalError("nothing is drawn") } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError("nothing is drawn") } }

public struct EmptyView: LeafView { public nonisolated init() {} }
public struct TupleView<each Content: View>: LeafView {}
public struct ConditionalContent<First: View, Second: View>: LeafView {}

@resultBuilder
public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  @MainActor public static func buildBlock<each Content: View>(_ content: repeat each Content)
    -> TupleView<repeat each Content>
  { TupleView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  @MainActor public static func buildEither<First: View, Second: View>(first: First)
    -> ConditionalContent<First, Second>
  { ConditionalContent() }
  @MainActor public static func buildEither<First: View, Second: View>(second: Second)
    -> ConditionalContent<First, Second>
  { ConditionalContent() }
}

// MARK: Apps

@MainActor @preconcurrency
public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("nothing is drawn") }
}

extension Scene {
  public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void)
    -> some Scene
  { self }
}

@MainActor @propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
  public let wrappedValue: Delegate

  public init(_ type: Delegate.Type) { fatalError("nothing is drawn") }
}

/// UIKit's. Its methods are optional there.
@MainActor
public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) async
    -> UIBackgroundFetchResult
}

extension UIApplication { public struct LaunchOptionsKey: Hashable, Sendable {} }

@MainActor
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder static var previews: Previews { get }
}
