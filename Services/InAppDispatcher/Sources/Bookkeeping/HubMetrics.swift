import CatalogueVersions

/// The hub's counts in Prometheus' text format (version 0.0.4).
enum HubMetrics {
  static func text(_ statistics: HubStatistics, connections: Int, catalogues: CatalogueInForce? = nil) -> String {
    var text = ""
    func describe(_ name: String, _ kind: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }
    describe("belfry_inapp_connections", "gauge", "Open hub connections.")
    text += "belfry_inapp_connections \(connections)\n"
    if let catalogues {
      describe("belfry_catalogue_version", "gauge", "Version of the catalogue in force; 0 for none and for a file.")
      text += "belfry_catalogue_version \(catalogues.current.number)\n"
      describe("belfry_catalogue_behind", "gauge", "1 while a newer version cannot be read by this release.")
      text += "belfry_catalogue_behind \(catalogues.isBehind ? 1 : 0)\n"
    }
    var described = ""
    for event in HubStatistics.Event.all {
      let metric = event.metric
      let name = "\(metric.name)_total"
      if described != name { describe(name, "counter", event.help) }
      described = name
      let labels = metric.dimension.map { "{\($0)=\"\($1)\"}" } ?? ""
      text += "\(name)\(labels) \(statistics[event])\n"
    }
    return text
  }
}
