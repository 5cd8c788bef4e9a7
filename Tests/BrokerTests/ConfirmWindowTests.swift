import Testing

@testable import Broker

struct ConfirmWindowTests {
  private func window(_ count: Int) -> ConfirmWindow<Int> {
    var window = ConfirmWindow<Int>()
    for number in 1...count { window.append(number) }
    return window
  }

  @Test func `tags count from one`() {
    var window = window(3)
    #expect(window.nextTag == 4)
    var settled: [Int] = []
    window.settle(3, multiple: true) { settled.append($0) }
    #expect(settled == [1, 2, 3])
    #expect(window.nextTag == 4)
    #expect(window.count == 0)
  }

  @Test func `confirms in any order settle each entry once`() {
    var window = window(5)
    var settled: [Int] = []
    for (tag, multiple) in [(3, false), (2, true), (3, false), (5, true), (9, true), (0, false)] {
      window.settle(UInt64(tag), multiple: multiple) { settled.append($0) }
    }
    #expect(settled == [3, 1, 2, 4, 5])
    #expect(window.count == 0)
  }

  @Test func `an update reaches only what is still awaited`() {
    var window = window(2)
    window.settle(1, multiple: false) { _ in }
    window.update(1) { $0 = 100 }
    window.update(2) { $0 = 200 }
    #expect(window.removeAll() == [200])
    #expect(window.nextTag == 1)
  }

  @Test func `the oldest are visited first until told to stop`() {
    var window = window(4)
    window.settle(2, multiple: false) { _ in }
    var seen: [Int] = []
    window.updateOldest {
      seen.append($0)
      return $0 < 3
    }
    #expect(seen == [1, 3])
  }
}
