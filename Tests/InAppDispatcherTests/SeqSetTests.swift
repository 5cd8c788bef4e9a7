import TestSupport
import Testing

@testable import InAppDispatcher

@Suite struct SeqSetTests {
  private func set(_ numbers: [Int]) -> SeqSet {
    var set = SeqSet()
    for number in numbers { _ = set.insert(number) }
    return set
  }

  @Test(
    arguments: [
      ([], [0, 1, 2], []), ([5], [4, 5, 6], [5]), ([1, 2, 3], [0, 1, 2, 3, 4], [1, 2, 3]),
      ([3, 2, 1], [0, 1, 2, 3, 4], [1, 2, 3]), ([1, 3, 2], [1, 2, 3, 4], [1, 2, 3]),
      ([9, 1, 5], Array(0...10), [1, 5, 9]), ([0], [-1, 0, 1], [0]),
    ] as [([Int], [Int], [Int])]
  )
  func `what was inserted is in it, and nothing else`(inserted: [Int], asked: [Int], contained: [Int]) {
    let set = set(inserted)
    #expect(asked.filter(set.contains) == contained)
    #expect(set.highest == inserted.max())
  }

  @Test func `inserting again says so`() {
    var set = set([1, 2, 7])
    #expect(set.insert(2) == false)
    #expect(set.insert(7) == false)
    #expect(set.insert(8) == true)
    #expect(set.insert(5) == true)
    set.insert(0...6)
    for number in 0...8 { #expect(set.insert(number) == false) }
    #expect(set.insert(9) == true)
  }

  @Test(arguments: 0..<50)
  func `it agrees with a plain set`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var set = SeqSet()
    var plain = Set<Int>()
    for _ in 0..<300 {
      if generator.next() % 10 == 0 {
        let lower = Int.random(in: 0...90, using: &generator)
        let range = lower...Int.random(in: lower...min(lower + 9, 100), using: &generator)
        set.insert(range)
        plain.formUnion(range)
      } else {
        let number = Int.random(in: 0...100, using: &generator)
        #expect(set.insert(number) == plain.insert(number).inserted)
      }
      #expect(set.highest == plain.max())
      #expect((0...101).filter(set.contains) == plain.sorted())
    }
  }

  @Test func `beyond 64 gaps the lowest ranges are forgotten, the highest stay`() {
    let set = set((0..<100).map { $0 * 2 })
    #expect((0...200).filter(set.contains) == (36..<100).map { $0 * 2 })
    #expect(set.highest == 198)
  }
}
