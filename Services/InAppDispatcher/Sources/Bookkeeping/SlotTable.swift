/// Names an element of a ``SlotTable`` for as long as it is there, and nothing afterwards.
struct Slot: Sendable, Equatable {
  let index: Int32
  /// How many elements had the index before.
  fileprivate var generation: UInt32 = 0
}

/// Objects that can be named by numbers elsewhere, on other threads for example, without touching them.
struct SlotTable<Element: AnyObject> {
  private struct Entry {
    var element: Element?
    var slot: Slot
  }

  private var entries: ContiguousArray<Entry> = []
  private var free: [Int32] = []

  /// The element of a slot; nil if it has gone.
  subscript(slot: Slot) -> Element? {
    let entry = entries[Int(slot.index)]
    return entry.slot == slot ? entry.element : nil
  }

  /// Asks a slot's element something; nil if it has gone.
  ///
  /// Unlike the subscript it does not retain the element: that is an atomic operation, which waits for memory and lets
  /// nothing else be read meanwhile.
  @inline(__always)
  func ask<Answer>(_ slot: Slot, _ question: (Element) -> Answer) -> Answer? {
    guard entries[Int(slot.index)].slot == slot else { return nil }
    return entries[Int(slot.index)].element.map(question)
  }

  mutating func insert(_ element: Element) -> Slot {
    if let index = free.popLast() {
      entries[Int(index)].element = element
      return entries[Int(index)].slot
    }
    let slot = Slot(index: Int32(entries.count))
    entries.append(Entry(element: element, slot: slot))
    return slot
  }

  /// Removes an element; nothing if it has gone.
  mutating func remove(_ slot: Slot) {
    let index = Int(slot.index)
    guard entries[index].slot == slot else { return }
    entries[index].element = nil
    entries[index].slot.generation &+= 1
    free.append(slot.index)
  }
}
