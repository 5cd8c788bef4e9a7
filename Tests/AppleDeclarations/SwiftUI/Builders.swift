// Declarations of Apple's SwiftUI, as far as docs/samples/app uses it, so that the compiler checks that sample's calls on Linux: names,
// labels, isolation. Names and forms are Apple's, with fewer overloads. Nothing is drawn, and no body is ever asked for.
public import AppleDeclarations
@_exported public import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

/// What has no body of its own.
public protocol LeafView: View where Body == Never {}
extension LeafView { public var body: Never { undrawn() } }
extension Never: View { public var body: Never { undrawn() } }
extension Optional: View where Wrapped: View { public var body: Never { undrawn() } }

func undrawn() -> Never { fatalError("nothing is drawn") }

public struct EmptyView: LeafView { public nonisolated init() {} }
public struct TupleView<each Content: View>: LeafView {}
public struct ConditionalContent<First: View, Second: View>: LeafView {}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  @MainActor public static func buildBlock<each Content: View>(_ content: repeat each Content)
    -> TupleView<repeat each Content>
  { TupleView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  @MainActor public static func buildEither<A: View, B: View>(first: A) -> ConditionalContent<A, B> { .init() }
  @MainActor public static func buildEither<A: View, B: View>(second: B) -> ConditionalContent<A, B> { .init() }
}

// MARK: Apps

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  var body: Body { get }
}
extension Never: Scene {}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  var body: Body { get }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { undrawn() }
}

extension Scene {
  public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void)
    -> some Scene
  { self }
}

@MainActor @propertyWrapper public struct UIApplicationDelegateAdaptor<Delegate: NSObject & UIApplicationDelegate> {
  public init(_ type: Delegate.Type) {}
  public var wrappedValue: Delegate { undrawn() }
}

/// UIKit's. Its methods are optional there.
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) async
    -> UIBackgroundFetchResult
}

extension UIApplication { public struct LaunchOptionsKey: Hashable, Sendable {} }

@MainActor public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder static var previews: Previews { get }
}
