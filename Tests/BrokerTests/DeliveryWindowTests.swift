import Testing

@testable import Broker

struct DeliveryWindowTests {
  private func window(_ count: UInt64) -> DeliveryWindow {
    var window = DeliveryWindow()
    for tag in 1...count { window.received(tag) }
    return window
  }

  private func acknowledged(_ tags: [UInt64], _ window: inout DeliveryWindow) -> [Acknowledgement] {
    window.acknowledge(tags)
  }

  @Test func `a batch from the beginning takes one acknowledgement`() {
    var window = window(5)
    #expect(acknowledged([1, 2, 3], &window) == [Acknowledgement(tag: 3, multiple: true)])
    #expect(acknowledged([4], &window) == [Acknowledgement(tag: 4, multiple: false)])
    #expect(window.count == 1)
  }

  @Test func `what is done beyond a gap is acknowledged at once, one by one`() {
    var window = window(5)
    #expect(
      acknowledged([2, 4], &window) == [
        Acknowledgement(tag: 2, multiple: false), Acknowledgement(tag: 4, multiple: false),
      ]
    )
    #expect(acknowledged([1, 3], &window) == [Acknowledgement(tag: 3, multiple: true)])
    #expect(acknowledged([5], &window) == [Acknowledgement(tag: 5, multiple: false)])
    #expect(window.count == 0)
  }

  @Test func `multiple never names a tag that the broker has settled already`() {
    var window = window(3)
    _ = window.acknowledge([3])
    #expect(acknowledged([1, 2], &window) == [Acknowledgement(tag: 2, multiple: true)])
    #expect(window.count == 0)
  }

  @Test func `multiple never covers one that is still worked on`() {
    var window = window(4)
    #expect(acknowledged([2, 3, 4], &window).allSatisfy { !$0.multiple })
  }

  @Test func `a rejected delivery is out of the way`() {
    var window = window(3)
    let answers = [window.reject(2), window.reject(2)]
    #expect(answers == [true, false])
    #expect(acknowledged([2], &window).isEmpty)
    #expect(acknowledged([1, 3], &window) == [Acknowledgement(tag: 3, multiple: true)])
    #expect(window.count == 0)
  }

  @Test func `a second acknowledgement is ignored`() {
    var window = window(2)
    #expect(acknowledged([1, 1], &window) == [Acknowledgement(tag: 1, multiple: false)])
    #expect(acknowledged([1], &window).isEmpty)
    #expect(acknowledged([7], &window).isEmpty)
  }
}
