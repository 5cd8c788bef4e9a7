public import Foundation

extension View {
  // MARK: Looks
  public func font(_ font: Font) -> some View { self }
  public func monospacedDigit() -> some View { self }
  public func lineLimit(_ number: Int?) -> some View { self }
  public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
  public func foregroundStyle(_ style: some ShapeStyle) -> some View { self }
  public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View { self }
  public func padding(_ edges: EdgeSet = .all, _ length: CGFloat? = nil) -> some View { self }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }
  public func frame(maxWidth: CGFloat?) -> some View { self }
  public func fixedSize() -> some View { self }
  public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }
  public func overlay(alignment: Alignment = .center, @ViewBuilder content: () -> some View) -> some View { self }
  public func safeAreaInset(edge: VerticalEdge, @ViewBuilder content: () -> some View) -> some View { self }
  public func pickerStyle(_ style: SegmentedPickerStyle) -> some View { self }
  public func listStyle(_ style: PlainListStyle) -> some View { self }
  public func environment<V>(_ path: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { self }
  // MARK: Navigation
  public func navigationTitle(_ title: some StringProtocol) -> some View { self }
  public func navigationBarTitleDisplayMode(_ mode: NavigationBarTitleDisplayMode) -> some View { self }
  public func navigationDestination<D: Hashable>(
    for data: D.Type,
    @ViewBuilder destination: @escaping (D) -> some View
  ) -> some View { self }
  public func toolbar(@ToolbarContentBuilder content: () -> some ToolbarContent) -> some View { self }
  public func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View { self }
  public func confirmationDialog<T>(
    _ title: some StringProtocol,
    isPresented: Binding<Bool>,
    presenting data: T?,
    @ViewBuilder actions: (T) -> some View
  ) -> some View { self }
  // MARK: Input
  public func id(_ id: some Hashable) -> some View { self }
  public func contextMenu(@ViewBuilder menuItems: () -> some View) -> some View { self }
  public func disabled(_ disabled: Bool) -> some View { self }
  public func tag(_ tag: some Hashable) -> some View { self }
  public func swipeActions(edge: HorizontalEdge = .trailing, @ViewBuilder content: () -> some View) -> some View {
    self
  }
  public func contentShape(_ shape: some Shape) -> some View { self }
  public func gesture(_ gesture: some Gesture) -> some View { self }
  public func focused(_ condition: FocusState<Bool>) -> some View { self }
  public func keyboardType(_ type: UIKeyboardType) -> some View { self }
  public func textContentType(_ type: UITextContentType?) -> some View { self }
  public func textInputAutocapitalization(_ value: TextInputAutocapitalization?) -> some View { self }
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
  // MARK: Events
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onChange<V: Equatable>(of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void)
    -> some View
  { self }
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View { self }
  public func task(id: some Equatable, @_inheritActorContext _ action: @escaping @Sendable () async -> Void)
    -> some View
  { self }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  // MARK: Accessibility
  public func accessibilityLabel(_ label: some StringProtocol) -> some View { self }
  public func accessibilityValue(_ value: some StringProtocol) -> some View { self }
  public func accessibilityHidden(_ hidden: Bool) -> some View { self }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }
  public func accessibilityAdjustableAction(_ handler: @escaping (AccessibilityAdjustmentDirection) -> Void)
    -> some View
  { self }
}
