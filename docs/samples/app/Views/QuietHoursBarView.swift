// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import SwiftUI

/// The 24 hours of a day with two handles.
struct QuietHoursBarView: View {
  let hours: QuietHours
  /// New hours, and whether the finger has let go.
  let change: @MainActor (QuietHours, Bool) -> Void
  /// What the finger has taken; nil again when it lets go, and when the system takes the gesture away.
  @GestureState private var dragged: QuietHours.Edge?

  private let height = 28.0

  var body: some View {
    GeometryReader { geometry in
      let bar = QuietHoursBar(width: geometry.size.width)
      ZStack(alignment: .topLeading) {
        Capsule().fill(Color.secondary.opacity(0.2)).frame(width: bar.width, height: height)
        ForEach(bar.parts(hours), id: \.self) { part in
          Capsule().fill(Color.accentColor.opacity(0.5))
            .frame(width: part.width, height: height)
            .offset(x: part.start, y: 0)
        }
        ForEach(bar.marks) { mark in
          Text("\(mark.hour)").font(.caption2).foregroundStyle(Color.secondary)
            .position(x: mark.position, y: height + 12)
            .accessibilityHidden(true)
        }
        ForEach(QuietHours.Edge.allCases, id: \.self) { edge in
          handle(edge, bar)
        }
      }
      .contentShape(Rectangle())
      .gesture(drag(bar))
      .onChange(of: dragged) { _, dragged in
        if dragged == nil { change(hours, true) }
      }
    }
    .frame(height: height + 24)
    .padding(.horizontal, height / 2)
    // A day goes from left to right in every script, and so does the gesture's place.
    .environment(\.layoutDirection, .leftToRight)
    .accessibilityElement(children: .contain)
  }

  private func handle(_ edge: QuietHours.Edge, _ bar: QuietHoursBar) -> some View {
    Circle().fill(Color.accentColor)
      .frame(width: height, height: height)
      .position(x: bar.position(edge, of: hours), y: height / 2)
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(edge.title)
      .accessibilityValue(hours.text(edge))
      .accessibilityAdjustableAction { direction in
        var adjusted = hours
        adjusted.adjust(edge, forward: direction == .increment)
        change(adjusted, true)
      }
  }

  private func drag(_ bar: QuietHoursBar) -> some Gesture {
    DragGesture(minimumDistance: 4)
      .updating($dragged) { value, dragged, _ in
        dragged = dragged ?? bar.edge(near: value.startLocation.x, of: hours)
      }
      .onChanged { value in
        let edge = dragged ?? bar.edge(near: value.startLocation.x, of: hours)
        change(bar.drag(edge, to: value.location.x, of: hours), false)
      }
  }
}
