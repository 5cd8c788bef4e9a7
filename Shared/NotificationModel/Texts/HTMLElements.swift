/// The elements that are open in the HTML of one mail. It stands in a layout's cell: what it closes there, or leaves open, hides what the
/// layout has below it, such as the link that stops such mails.
struct HTMLElements {
  private var open: [String] = []
  /// Where the section begins that is read: what is open before it is not its own.
  private var floor = 0

  /// Have no end tag.
  private static let void: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
  ]
  /// End with the element around them at the latest.
  private static let endless: Set = [
    "p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "colgroup", "caption",
  ]
  /// Outside a table of the mail's own they would end the layout's cell.
  private static let tableParts: Set = [
    "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr",
  ]
  /// Where a table of their own may stand.
  private static let cells: Set = ["caption", "td", "th"]
  /// What they stand in, besides the table.
  private static let parents: [String: Set<String>] = [
    "col": ["colgroup"], "tr": ["tbody", "tfoot", "thead"], "td": ["tbody", "tfoot", "thead", "tr"],
    "th": ["tbody", "tfoot", "thead", "tr"],
  ]
  private static let document: Set = ["html", "head", "body"]

  /// - Parameter tag: In lower case; with `/` if it is an end tag.
  /// - Throws: ``CatalogueError`` that says what cannot stand here.
  mutating func read(_ tag: String) throws(CatalogueError) {
    let name = tag.hasPrefix("/") ? String(tag.dropFirst()) : tag
    if Self.document.contains(name) { throw CatalogueError("has <\(tag)>, which is the layout's") }
    if tag.hasPrefix("/") {
      try end(name)
    } else {
      if Self.tableParts.contains(name) { try endFormerPart(before: name) }
      let around = open.last { $0 == "table" || Self.cells.contains($0) }
      if name == "table", around == "table" { throw CatalogueError("has <table> in a table, outside its cells") }
      if !Self.void.contains(name) { open.append(name) }
    }
  }

  /// A part of a table ends those before it that it cannot stand in, without their end tags.
  private mutating func endFormerPart(before name: String) throws(CatalogueError) {
    guard open.contains("table") else { throw CatalogueError("has <\(name)> outside a table") }
    let parents = Self.parents[name, default: []]
    while let last = open.last, last != "table", !parents.contains(last) {
      guard Self.endless.contains(last) else { throw CatalogueError("has <\(name)> where <\(last)> is open") }
      guard open.count > floor else { throw CatalogueError("has <\(name)> in a section, and it ends <\(last)>") }
      open.removeLast()
    }
  }

  private mutating func end(_ name: String) throws(CatalogueError) {
    while let last = open.last, open.count > floor {
      open.removeLast()
      if last == name { return }
      guard Self.endless.contains(last) else { throw CatalogueError("has </\(name)> where <\(last)> is open") }
    }
    throw CatalogueError("has </\(name)>, which ends nothing")
  }

  /// A section has whole elements: whether it is shown or not, the same are open behind it.
  ///
  /// - Returns: What ``endSection(_:)`` takes.
  mutating func beginSection() -> Int {
    defer { floor = open.count }
    return floor
  }

  /// - Throws: ``CatalogueError`` if it leaves an element open.
  mutating func endSection(_ former: Int) throws(CatalogueError) {
    try finish()
    floor = former
  }

  /// - Throws: ``CatalogueError`` if an element is open that would hold what comes after.
  mutating func finish() throws(CatalogueError) {
    while let last = open.last, open.count > floor {
      guard Self.endless.contains(last) else { throw CatalogueError("leaves <\(last)> open") }
      open.removeLast()
    }
  }
}
