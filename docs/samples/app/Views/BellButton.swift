// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import SwiftUI

/// A bell with the number of unread notifications.
struct BellButton: View {
  /// Nil while it is not known.
  let count: Int?
  let action: @MainActor () -> Void

  var body: some View {
    let badge = BellBadge(count)
    Button(action: action) {
      Image(systemName: "bell")
        .overlay(alignment: .topTrailing) {
          if let text = badge.text {
            Text(text)
              .font(.caption2)
              .monospacedDigit()
              .foregroundStyle(Color.white)
              .padding(.horizontal, 4)
              .background(Color.red, in: Capsule())
              .fixedSize()
              .offset(x: 10, y: -8)
          }
        }
    }
    .accessibilityLabel(badge.accessibilityLabel)
  }
}
