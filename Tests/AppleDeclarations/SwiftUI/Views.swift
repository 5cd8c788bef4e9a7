public import Foundation

public struct Text: LeafView { public init(_ text: some StringProtocol) {} }
public struct Image: LeafView { public init(systemName: String) {} }
public struct Spacer: LeafView { public init() {} }
public struct ProgressView: LeafView {
  public init() {}
  public init(_ title: some StringProtocol) {}
}
public struct ContentUnavailableView: LeafView {
  public init(_ title: some StringProtocol, systemImage: String, description: Text?) {}
}

public protocol Shape: LeafView, Sendable {}
extension Shape { public func fill(_ style: some ShapeStyle) -> some View { self } }
public struct Circle: Shape { public init() {} }
public struct Capsule: Shape { public init() {} }
public struct Rectangle: Shape { public init() {} }

public struct HStack<Content: View>: LeafView {
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct VStack<Content: View>: LeafView {
  public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ZStack<Content: View>: LeafView {
  public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}
public struct List<Content: View>: LeafView { public init(@ViewBuilder content: () -> Content) {} }
public struct Form<Content: View>: LeafView { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack<Root: View>: LeafView {
  public init(@ViewBuilder root: () -> Root) {}
  public init<Data>(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {}
}
public struct Section<Content: View, Footer: View>: LeafView {
  public init(@ViewBuilder content: () -> Content) where Footer == EmptyView {}
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) where Footer == EmptyView {}
  public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: LeafView {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {}
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
public struct GeometryReader<Content: View>: LeafView {
  public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}
public struct GeometryProxy { public let size: CGSize }

public struct Label<Title: View, Icon: View>: LeafView {
  public init(_ title: some StringProtocol, systemImage: String) where Title == Text, Icon == Image {}
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
public struct Button<Label: View>: LeafView {
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) where Label == Text {}
  public init(_ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void)
  where Label == Text {}
}
public struct Menu<Content: View>: LeafView {
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {}
}
public struct Toggle<Label: View>: LeafView {
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {}
}
public struct Picker<Selection: Hashable, Content: View>: LeafView {
  public init(_ title: some StringProtocol, selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
}
public struct TextField: LeafView { public init(_ title: some StringProtocol, text: Binding<String>) {} }
public struct SecureField: LeafView { public init(_ title: some StringProtocol, text: Binding<String>) {} }
public struct NavigationLink<Label: View, Destination: View>: LeafView {
  public init(value: (some Hashable)?, @ViewBuilder label: () -> Label) where Destination == Never {}
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {}
  public init(_ title: some StringProtocol, @ViewBuilder destination: () -> Destination) where Label == Text {}
}

@MainActor public protocol ToolbarContent {}
public struct ToolbarItem<Content: View>: ToolbarContent {
  public init(placement: ToolbarItemPlacement, @ViewBuilder content: () -> Content) {}
}
@resultBuilder
public enum ToolbarContentBuilder {
  @MainActor public static func buildBlock<each Content: ToolbarContent>(_ content: repeat each Content)
    -> some ToolbarContent
  {
    ToolbarItem(placement: .topBarLeading) { EmptyView() }
  }
}

@MainActor public protocol Gesture<Value> { associatedtype Value }
public struct DragGesture: Gesture {
  public struct Value { public let startLocation, location: CGPoint }
  public init(minimumDistance: CGFloat = 10) {}
}
public struct Transaction {}
extension Gesture {
  public func onChanged(_ action: @escaping (Value) -> Void) -> some Gesture<Value> { self }
  public func updating<State>(
    _ state: GestureState<State>,
    body: @escaping (Value, inout State, inout Transaction) -> Void
  ) -> some Gesture<Value> { self }
}
