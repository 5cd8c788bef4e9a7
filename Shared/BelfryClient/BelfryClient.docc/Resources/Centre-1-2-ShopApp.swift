import BelfryClient
import SwiftUI

@main
struct ShopApp: App {
  var body: some Scene {
    WindowGroup {
      ContentView()
        .task { await belfry.connect() }
    }
  }
}
