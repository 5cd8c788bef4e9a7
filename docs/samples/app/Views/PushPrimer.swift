// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import SwiftUI

/// Why the app wants to push, in its own words, before the system asks: the system asks once.
struct PushPrimer: View {
  let pushes: Pushes

  var body: some View {
    VStack(spacing: 16) {
      Image(systemName: "bell.badge").font(.largeTitle).accessibilityHidden(true)
      Text("Know it when it happens").font(.headline)
      Text("Get a push when somebody needs you. You choose what comes, and when it is quiet.")
        .multilineTextAlignment(.center)
      Button("Turn on pushes") {
        Task { await pushes.turnOn() }
      }
      Button("Not now") {
        Task { await pushes.notNow() }
      }
    }
    .padding()
  }
}

extension Pushes {
  /// For a sheet: what the user swipes away is "not now".
  var isAskingShown: Binding<Bool> {
    let isAsking = isAsking
    return Binding {
      isAsking
    } set: { isShown in
      if !isShown { Task { await self.notNow() } }
    }
  }
}
