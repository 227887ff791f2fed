// SPDX-License-Identifier: Apache-2.0

/// A search for further candidates, which takes the place of one candidate in the order of trial.
extension TransferMachine {
  /// True for a candidate that stands for the results of a search.
  func isSearch(_ candidate: Int) -> Bool { urlOf(candidate).isSearch }

  /// The first candidate to try: a place, if there is one.
  var firstCandidate: Int { usableCandidates.first { !isSearch($0) } ?? 0 }

  /// True if a search may find the candidate that the partial came from.
  var mayFindPartial: Bool { usableCandidates.contains(where: isSearch) }

  /// Goes on with what was found. If nothing of it fits and results are missing, a later search may find the right one.
  mutating func found(
    _ results: [Candidate], _ missing: String?, _ trial: Trial, _ context: TransferContext
  ) -> [TransferAction] {
    let known = Set(task.candidates.map(\.candidate.url))
    let fitting = task.search?.fitting(results, besides: known) ?? []
    guard !fitting.isEmpty else {
      let problem = missing.map { ExtractionProblem.resultsMissing(besides: results.count, message: $0) }
      return setback(.extraction(problem ?? .noneFits(of: results.count)), trial, context)
    }
    hasSearched = true
    finishedRequests += trial.requests
    task.candidates += fitting
    return tryNext(context)
  }
}
