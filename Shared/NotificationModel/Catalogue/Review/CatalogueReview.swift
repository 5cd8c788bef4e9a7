import Foundation

/// What is to be said of an operator's catalogue file before it is used.
public struct CatalogueReview: Sendable {
  /// The catalogue with the file; nil if it cannot be used.
  public let catalogue: Catalogue?
  /// Everything that people would suffer from, in the order of the file. Without a catalogue there is at least one.
  public let problems: [CatalogueProblem]

  /// Nobody reads on beyond these.
  private static let maximum = 500

  init(catalogue: Catalogue?, problems: [CatalogueProblem]) {
    self.catalogue = catalogue
    var unique: [CatalogueProblem] = []
    for problem in CatalogueProblem.sorted(problems).prefix(Self.maximum) where unique.last != problem {
      unique.append(problem)
    }
    self.problems = unique
  }
}

extension Catalogue {
  /// What a review finds in a file; nothing where there is no file, or none that can be read.
  public static func findings(
    inFile path: String,
    channels: [any RoutingChannel] = Channel.routing
  ) -> [CatalogueProblem] {
    guard !path.isEmpty, let bytes = FileManager.default.contents(atPath: path) else { return [] }
    return review(String(decoding: bytes, as: UTF8.self), channels: channels).problems
  }

  /// Reads an operator's file (YAML), and finds what is wrong with it and what is likely to be: what ``init(file:channels:)``
  /// refuses, and what people would suffer from all the same.
  ///
  /// - Parameter channels: Those that there are.
  public static func review(
    _ yaml: String,
    channels: [any RoutingChannel] = Channel.routing
  ) -> CatalogueReview {
    do throws(CatalogueError) {
      return review(yaml, over: try builtInForm(channels), channels)
    } catch {
      return CatalogueReview(catalogue: nil, problems: error.problems)
    }
  }

  /// - Parameter base: What the file adds to; nil if it stands alone.
  static func review(_ yaml: String, over base: CatalogueForm?, _ channels: [any RoutingChannel]) -> CatalogueReview {
    do throws(CatalogueError) {
      let reading = try CatalogueReading(yaml, channels: channels)
      guard let form = reading.form else { return CatalogueReview(catalogue: nil, problems: reading.problems) }
      let reviewer = CatalogueReviewer(reading.document, form, over: base)
      guard reading.problems.isEmpty else {
        let problems = reading.problems + reviewer.references + reviewer.findings
        return CatalogueReview(catalogue: nil, problems: problems)
      }
      do throws(CatalogueError) {
        let catalogue = try Catalogue((base.map { [$0] } ?? []) + [form], channels)
        return CatalogueReview(catalogue: catalogue, problems: reviewer.findings)
      } catch {
        return CatalogueReview(catalogue: nil, problems: error.problems + reviewer.findings)
      }
    } catch {
      return CatalogueReview(catalogue: nil, problems: error.problems)
    }
  }
}
