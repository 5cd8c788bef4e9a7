import Testing

@testable import InAppDispatcher

@Suite struct SlotTableTests {
  private final class Named {
    let name: String

    init(_ name: String) { self.name = name }
  }

  @Test func `a slot names its element until that is removed`() {
    var table = SlotTable<Named>()
    let (anna, ben) = (Named("Anna"), Named("Ben"))
    let (first, second) = (table.insert(anna), table.insert(ben))
    #expect(table[first] === anna)
    #expect(table.ask(second, \.name) == "Ben")
    table.remove(first)
    #expect(table[first] == nil)
    #expect(table.ask(first, \.name) == nil)
    #expect(table[second] === ben)
  }

  @Test func `whoever gets an index again is not named by the slot of the one before`() {
    var table = SlotTable<Named>()
    let old = table.insert(Named("Anna"))
    table.remove(old)
    let ben = Named("Ben")
    let new = table.insert(ben)
    #expect(new.index == old.index)
    #expect(new != old)
    #expect(table[old] == nil)
    #expect(table.ask(old, \.name) == nil)
    // A removal that comes late is for the one before, too.
    table.remove(old)
    #expect(table[new] === ben)
    let carla = table.insert(Named("Carla"))
    #expect(carla.index != new.index)
  }

  @Test func `an element that has been removed is let go`() {
    var table = SlotTable<Named>()
    weak var known: Named?
    do {
      let anna = Named("Anna")
      known = anna
      table.remove(table.insert(anna))
    }
    withExtendedLifetime(table) { #expect(known == nil) }
  }
}
