// SPDX-License-Identifier: Apache-2.0

extension Plan {
  package var searches: PlannedSearches {
    steps.reduce(into: PlannedSearches()) { searches, step in
      guard case .download(let fetch) = step else { return }
      let places = fetch.download.task.candidates.map(\.candidate.url)
      guard places.contains(where: \.isSearch) else { return }
      if places.allSatisfy(\.isSearch) { searches.only += 1 } else { searches.asLastResort += 1 }
    }
  }
}
