import BenchmarkComparison
import BelfryJSON
import Testing

/// What `make bench ARGUMENTS="--against …"` says of two builds.
struct BenchmarkComparisonTests {
  @Test func `medians further apart than the rounds of either build differ`() {
    let figure = FigureComparison(
      name: "router: sends",
      unit: "/s",
      these: [90, 94, 92, 91],
      other: [100, 104, 101, 103]
    )
    #expect(figure.medianOfThese == 91.5)
    #expect(figure.medianOfOther == 102)
    #expect(figure.noise == 4, "the wider of both spreads")
    #expect(figure.ratio.map { abs($0 - 91.5 / 102) < 1e-9 } == true)
    #expect(figure.verdict == .worse, "more a second is better")
  }

  @Test func `of time, less is better`() {
    #expect(FigureComparison(name: "", unit: "µs", these: [4, 4, 5], other: [8, 8, 9]).verdict == .better)
  }

  @Test func `one round that was disturbed is noise`() {
    #expect(
      FigureComparison(name: "", unit: "ms", these: [10, 11, 10, 40], other: [20, 21, 20, 21]).verdict == .withinNoise
    )
  }

  @Test func `a count that never varies differs by one`() {
    #expect(FigureComparison(name: "", unit: "", these: [0, 0, 0], other: [0, 0, 0]).verdict == .withinNoise)
    let figure = FigureComparison(name: "", unit: "", these: [1, 1, 1], other: [0, 0, 0])
    #expect(figure.verdict == .worse)
    #expect(figure.ratio == nil, "nothing is divided by zero")
  }

  @Test func `two rounds say nothing of noise, and one build alone is not compared`() {
    #expect(FigureComparison(name: "", unit: "/s", these: [1, 1], other: [9, 9]).verdict == .notComparable)
    let alone = FigureComparison(name: "", unit: "/s", these: [], other: [9, 9, 9])
    #expect(alone.verdict == .notComparable)
    #expect(alone.medianOfThese == nil)
  }

  @Test func `rounds are collected by name, in order, and what only one build has is not lost`() {
    var (these, other) = (RoundFigures(), RoundFigures())
    for round in 1...3 {
      these.add([("send", Double(round), "/s"), ("send", 7, "/s"), ("new", 1, "ms")])
      other.add([("send", 1, "/s"), ("send", 7, "/s"), ("old", 1, "ms")])
    }
    let figures = RoundFigures.compare(these, with: other)
    #expect(figures.map(\.name) == ["send", "send (2)", "new", "old"])
    #expect(figures[0].these == [1, 2, 3])
    #expect(figures[1].verdict == .withinNoise)
    #expect(figures[3].these == [] && figures[3].other == [1, 1, 1])
  }

  @Test func `messages differ by what is there, not by ids and times`() throws {
    func lines(_ id: String, _ time: String, more: String = "") throws -> [String] {
      let json = #"{"v":1,"id":"\#(id)","to":[{"at":"\#(time)"\#(more)}],"node":"belfry.x.\#(id)"}"#
      return MessageDifference.lines(of: try JSONParser.parse(Array(json.utf8)))
    }
    let these = try lines("0193b1f0-0000-7000-8000-000000000001", "2026-01-31T08:00:00Z")
    let other = try lines("0193b1f0-0000-7000-8000-00000000ffff", "2026-02-01T09:30:00.123Z")
    #expect(MessageDifference.all(["push": these], ["push": other]) == [])
    let richer = try lines("0193b1f0-0000-7000-8000-000000000002", "2026-01-31T08:00:00Z", more: #","badge":3"#)
    #expect(
      MessageDifference.all(["push": richer, "queues": ["a"]], ["push": other]) == [
        MessageDifference(part: "push", onlyThese: ["to[0].badge: 3"], onlyOther: []),
        MessageDifference(part: "queues", onlyThese: ["a"], onlyOther: []),
      ]
    )
  }

  @Test func `the order of a queue's arguments and a node's own id are no difference, what an argument says is one`() {
    let queue = { (node: String, arguments: String) in
      MessageDifference.declared("belfry.realtime.vm.\(node)\ttrue\t\t[\(arguments)]")
    }
    let (length, kind) = (#"{"x-max-length",10}"#, #"{"x-queue-type","quorum"}"#)
    let line = queue("r7d4F5u_ETzUJ_B278IPag", "\(length),\(kind)")
    #expect(line == queue("zjymeDItwbCq5OLs00X_eQ", "\(kind),\(length)"))
    #expect(line != queue("zjymeDItwbCq5OLs00X_eQ", #"\#(kind),{"x-max-length",11}"#))
  }

  private struct Spoilt: Error, CustomStringConvertible { let description = "the connection was closed" }

  @Test func `a measurement that is spoilt once is repeated, and the report says so`() async throws {
    var said: [String] = []
    let value = try await Repetition.measure("nchan", tries: 3) {
      said.append($0)
    } _: { attempt in
      if attempt == 1 { throw Spoilt() }
      return attempt
    }
    #expect(value == 2)
    #expect(said == ["nchan, try 1 of 3: the connection was closed"])
  }

  @Test func `one that is spoilt each time fails after so many tries, a cancelled one at once`() async {
    #expect(await linesOf(failing: Spoilt(), tries: 2).count == 2)
    #expect(await linesOf(failing: CancellationError(), tries: 2) == [])
  }

  /// What is said of a measurement that always fails so.
  private func linesOf(failing error: any Error, tries: Int) async -> [String] {
    var said: [String] = []
    do {
      let value = try await Repetition.measure("nchan", tries: tries) {
        said.append($0)
      } _: { _ -> Int in
        throw error
      }
      Issue.record("measured \(value)")
    } catch let thrown {
      #expect(type(of: thrown) == type(of: error))
    }
    return said
  }
}
