@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public init() where Value: ExpressibleByNilLiteral {}
  public var wrappedValue: Value {
    get { undrawn() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { undrawn() }
}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {}
  public var wrappedValue: Value {
    get { undrawn() }
    nonmutating set {}
  }
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> { undrawn() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var projectedValue: Bindable<Value> { self }
  public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> { undrawn() }
}

@propertyWrapper public struct FocusState<Value: Hashable> {
  public init() where Value == Bool {}
  public var wrappedValue: Value {
    get { undrawn() }
    nonmutating set {}
  }
  public var projectedValue: FocusState<Value> { self }
}

@propertyWrapper public struct GestureState<Value> {
  public init() where Value: ExpressibleByNilLiteral {}
  public var wrappedValue: Value { undrawn() }
  public var projectedValue: GestureState<Value> { self }
}

@propertyWrapper public struct Environment<Value> {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { undrawn() }
}

public struct EnvironmentValues {
  public var layoutDirection: LayoutDirection
  public var scenePhase: ScenePhase
  public var dismiss: DismissAction { undrawn() }
}

@MainActor public struct DismissAction { public func callAsFunction() {} }

public enum LayoutDirection: Sendable { case leftToRight, rightToLeft }
public enum ScenePhase: Sendable { case background, inactive, active }
public enum ButtonRole: Sendable { case destructive, cancel }
public enum HorizontalAlignment: Sendable { case leading, center, trailing }
public enum VerticalAlignment: Sendable { case top, center, bottom, firstTextBaseline }
public enum Alignment: Sendable { case topLeading, topTrailing, center }
public enum TextAlignment: Sendable { case leading, center, trailing }
public enum HorizontalEdge: Sendable { case leading, trailing }
public enum VerticalEdge: Sendable { case top, bottom }
public enum Font: Sendable { case largeTitle, headline, subheadline, footnote, caption, caption2 }
public enum AccessibilityChildBehavior: Sendable { case ignore, contain, combine }
public enum AccessibilityAdjustmentDirection: Sendable { case increment, decrement }
public enum UIKeyboardType: Sendable { case URL, decimalPad }
public enum UITextContentType: Sendable { case URL }
public enum TextInputAutocapitalization: Sendable { case never }
public enum NavigationBarTitleDisplayMode: Sendable { case inline, large }
public enum ToolbarItemPlacement: Sendable { case topBarLeading, topBarTrailing }
public enum SegmentedPickerStyle: Sendable { case segmented }
public enum PlainListStyle: Sendable { case plain }

public struct EdgeSet: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let (horizontal, bottom, all) = (EdgeSet(rawValue: 1), EdgeSet(rawValue: 2), EdgeSet(rawValue: 3))
}

public protocol ShapeStyle: Sendable {}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material { public static var thinMaterial: Material { Material() } }
public enum Color: ShapeStyle {
  case accentColor, red, white, secondary
  public func opacity(_ value: Double) -> Color { self }
}
