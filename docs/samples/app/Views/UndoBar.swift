// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// Says what was deleted, as long as it can be brought back.
struct UndoBar: View {
  let model: NotificationCenterModel

  var body: some View {
    if let text = UndoText.text(model.deletions.count) {
      HStack {
        Text(text)
        Spacer()
        Button("Undo") {
          Task { await model.undoDelete() }
        }
      }
      .padding()
      .background(.thinMaterial, in: Capsule())
      .padding(.horizontal)
      .accessibilityElement(children: .contain)
    }
  }
}
