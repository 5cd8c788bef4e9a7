import BelfrySender
import Foundation

/// What a shop tells its customers.
struct Shop {
  let belfry: BelfrySender

  init(gateway: URL, key: String, transport: any SenderTransport = URLSessionSenderTransport()) throws {
    belfry = try BelfrySender(gateway: gateway, credential: .apiKey(key), transport: transport)
  }

  /// Says that an order was paid: once, however often it is called for the same order.
  func orderPaid(_ number: Int, by customer: String, amount: String) async throws {
    let request = SendRequest(to: .user(customer), type: "OrderPaid")
      .data(["number": "\(number)", "amount": .text(amount)])
      .about("Order", id: "\(number)")
    do {
      try await belfry.send(request, key: "order-\(number)-paid")
    } catch let error as SenderError where error.code == .refused {
      for field in error.fields { print("\(field.field) \(field.message)") }
      throw error
    }
  }

  /// Asks a customer on Mondays, at seven in the evening where they live, to look at the new offers.
  func remind(_ customer: String) async throws {
    let weekly = ScheduleDefinition(
      to: .user(customer),
      type: "Offers",
      .recurring(.weekly(on: [.monday]), at: "19:00")
    )
    try await belfry.put(weekly.title("New offers"), as: "offers-\(customer)")
  }

  func remindNoMore(_ customer: String) async throws {
    try await belfry.cancelSchedule("offers-\(customer)")
  }
}
