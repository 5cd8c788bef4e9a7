import BelfryClient
import BelfryClientTesting
import BelfrySender
import Router
import Settings

@main
struct App {
  static func main() {
    print(Route.inbox, AppSettings().title)
  }
}
