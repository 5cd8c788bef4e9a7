// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import Foundation
import SwiftUI

/// What must not disturb.
struct MutesView: View {
  let model: PreferencesModel

  var body: some View {
    List {
      ForEach(model.mutes, id: \.self) { mute in
        VStack(alignment: .leading) {
          Text("\(words(mute.entity.type)) \(mute.entity.id)")
          if let until = mute.until {
            Text("Until \(until.formatted(date: .abbreviated, time: .shortened))").font(.caption)
          }
        }
        .swipeActions(edge: .trailing) {
          Button("Unmute") {
            Task { await model.unmute(mute.entity) }
          }
        }
      }
    }
    .overlay {
      if model.mutes.isEmpty {
        ContentUnavailableView(
          "Nothing muted",
          systemImage: "bell",
          description: Text("Open a notification to mute what it is about.")
        )
      }
    }
    .navigationTitle("Muted")
  }
}
