import BelfryClient
import SwiftUI

struct ContentView: View {
  @State private var center = NotificationCenterModel(belfry)

  var body: some View {
    NavigationStack {
      Text("My shop")
    }
  }
}
