// Written for iOS 17. Not compiled for Apple on Linux: there it is type-checked against Tests/AppleDeclarations/SwiftUI.

import BelfryClient
import Foundation
import SwiftUI

/// The user's devices.
struct DevicesView: View {
  let model: DevicesModel
  /// This app's, to say which device is this one.
  let installation: UUID?

  var body: some View {
    List {
      if let error = model.error { Text(error.userText).foregroundStyle(Color.red) }
      ForEach(model.devices) { device in
        let row = DeviceRow(device, installation: installation)
        Label {
          VStack(alignment: .leading) {
            Text(row.title)
            Text(row.detail).font(.caption).foregroundStyle(Color.secondary)
          }
        } icon: {
          Image(systemName: row.image)
        }
        .swipeActions(edge: .trailing) {
          Button("Remove", role: .destructive) {
            Task { await model.remove(device.id) }
          }
        }
      }
    }
    .overlay {
      if model.isLoading && model.devices.isEmpty { ProgressView("Loading") }
    }
    .navigationTitle("Devices")
    .task { await model.load() }
    .refreshable { await self.model.load() }
  }
}
