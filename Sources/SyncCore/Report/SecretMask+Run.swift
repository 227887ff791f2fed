// SPDX-License-Identifier: Apache-2.0

extension SecretMask {
  /// Masks all secrets that a run must not show.
  /// - Parameter proxies: The proxies named by the environment.
  package init(_ manifest: Manifest, _ credentials: some Sequence<Credentials>, proxies: ProxyEnvironment) {
    var secrets = credentials.flatMap(\.secrets)
    secrets += manifest.downloads.headers.filter { SecretNames.contain($0.name) }.map { Secret($0.value) }
    secrets += (proxies.all + [manifest.downloads.proxy.url].compactMap { $0 }).compactMap(\.password)
    for playlist in manifest.playlists { playlist.source.forEachURL { secrets += $0.secrets } }
    self.init(secrets)
  }
}

extension ProxyPolicy {
  fileprivate var url: ProxyURL? { if case .url(let url) = self { url } else { nil } }
}

extension RemoteURL {
  /// The password and the values of parameters whose names indicate a secret.
  fileprivate var secrets: [Secret] {
    let own = login.map { Secret(String($0.exposed.split(separator: ":", maxSplits: 1).last ?? "")) }
    guard hasQuery, let mark = text.firstIndex(of: "?") else { return [own].compactMap { $0 } }
    let values = text[text.index(after: mark)...].split(separator: "&").compactMap { parameter -> Secret? in
      let parts = parameter.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && SecretNames.contain(parts[0]) ? Secret(String(parts[1])) : nil
    }
    return [own].compactMap { $0 } + values
  }
}

// MARK: - Texts from outside

extension SecretMask {
  package func masked(_ failure: Failure) -> Failure {
    guard !isEmpty else { return failure }
    return switch failure {
    case .network(let detail): .network(detail: masked(detail))
    case .proxy(let proxy, let detail): .proxy(proxy, detail: masked(detail))
    case .engine(let code, let detail): .engine(code, detail: masked(detail))
    case .dns(let host): .dns(host: masked(host))
    case .tls(let problem, let detail): .tls(problem, detail: masked(detail))
    case .malformedResponse(let detail): .malformedResponse(detail: masked(detail))
    case .notMedia(let found): .notMedia(found: masked(found))
    case .invalidURL(let url): .invalidURL(masked(url))
    case .redirectRefused(let target, let problem): .redirectRefused(to: masked(target), problem)
    case .forbiddenAddress(let address): .forbiddenAddress(masked(address))
    case .localFile(let path, let problem): .localFile(path: masked(path), problem)
    case .extraction(.failed(let message)): .extraction(.failed(message: masked(message)))
    case .extraction(.unavailable(let message)): .extraction(.unavailable(message: masked(message)))
    case .extraction(.resultsMissing(let count, let message)):
      .extraction(.resultsMissing(besides: count, message: masked(message)))
    case .license(let problem, let server): .license(masked(problem), server: server)
    case .login(let problem, let command): .login(masked(problem), command: command)
    case .timeout, .http, .emptyBody, .shortBody, .compressedBodyCut, .compressedBodyDamaged, .size, .checksum,
      .duration,
      .storageFull, .io, .blocked, .folderClosed,
      .nameRefused, .changedByOthers, .notReplaced,
      .lockReplaced, .tooLarge, .tooLargeForFileSystem, .extraction, .cancelled:
      failure
    }
  }

  package func masked(_ problem: LicenseProblem) -> LicenseProblem {
    switch problem {
    case .unusable(.member(let name)): .unusable(.member(masked(name)))
    case .unusable(.anotherTrack(let track)): .unusable(.anotherTrack(masked(track)))
    case .unusable(.unknownRestriction(let name)): .unusable(.unknownRestriction(masked(name)))
    case .unanswered(let reason): .unanswered(reason: masked(reason))
    case .unserved(let reason): .unserved(reason: masked(reason))
    case .unusable, .refused, .notKept: problem
    }
  }

  package func masked(_ problem: LoginProblem) -> LoginProblem {
    switch problem {
    case .refused(let code, let description): .refused(code: masked(code), description: description.map(masked))
    case .unanswered(let host, let failure): .unanswered(host: host, masked(failure))
    case .unusable(let host, .member(let name)): .unusable(host: host, .member(masked(name)))
    case .unusable(let host, .tokenType(let type)): .unusable(host: host, .tokenType(masked(type)))
    case .unusable(let host, .otherIssuer(let issuer)): .unusable(host: host, .otherIssuer(masked(issuer)))
    case .unusable(let host, .insecure(let url)): .unusable(host: host, .insecure(masked(url)))
    case .wrongIssuer(let issuer): .wrongIssuer(masked(issuer))
    default: problem
    }
  }

  /// For display only: a masked URL leads nowhere.
  package func masked(_ url: RemoteURL) -> RemoteURL {
    guard finds(in: url.text) else { return url }
    let text = masked(url.text)
    do throws(RemoteURL.Problem) {
      if let words = url.searched { return try RemoteURL(search: masked(words)) }
      return url.isFile ? try RemoteURL(file: RemoteURL.decoded(text.utf8.dropFirst(7))) : try RemoteURL(text)
    } catch { return url }
  }

  /// Masks the texts of a listing. Its URLs are unchanged, because the masked ones could not be fetched.
  package func masked(_ listing: Listing) -> Listing {
    guard !isEmpty else { return listing }
    var listing = listing
    listing.title = listing.title.map(masked)
    listing.author = listing.author.map(masked)
    listing.language = listing.language.map(masked)
    // A large listing is copied only if it has something to hide.
    if listing.entries.contains(where: { masked($0) != $0 }) {
      listing.entries = ListingEntries(listing.entries.lazy.map(masked))
    }
    for index in listing.unusable.indices {
      listing.unusable[index].guid = listing.unusable[index].guid.map(masked)
      listing.unusable[index].title = listing.unusable[index].title.map(masked)
    }
    listing.flaws.update(masked)
    if case .partial(let problem) = listing.completeness { listing.completeness = .partial(masked(problem)) }
    return listing
  }

  /// True if a text or a URL of the listing contains a piece of a secret.
  package func finds(in listing: Listing) -> Bool {
    guard !isEmpty else { return false }
    let next: RemoteURL? = if case .at(let url) = listing.next { url } else { nil }
    let own = [listing.newAddress, listing.image, next].compactMap(\.self)
    return own.contains { finds(in: $0.text) } || masked(listing) != listing
      || listing.entries.contains { $0.addresses.contains { finds(in: $0.text) } }
  }

  private func masked(_ entry: ListingEntry) -> ListingEntry {
    var entry = entry
    entry.guid = entry.guid.map(masked)
    entry.title = entry.title.map(masked)
    entry.author = entry.author.map(masked)
    entry.album = entry.album.map(masked)
    entry.folder = entry.folder.map(masked)
    for index in entry.marks.indices { entry.marks[index].title = masked(entry.marks[index].title) }
    return entry
  }

  private func masked(_ problem: SourceProblem) -> SourceProblem {
    switch problem {
    case .unreachable(let failure): .unreachable(masked(failure))
    case .notAFeed(let root): .notAFeed(root: masked(root))
    case .notAList(.xml(let root)): .notAList(.xml(root: masked(root)))
    case .notAList(.hls(let tag)): .notAList(.hls(tag: masked(tag)))
    case .notAnOutline(let root): .notAnOutline(root: masked(root))
    case .malformed(let line, let detail): .malformed(line: line, detail: masked(detail))
    case .excessive(let detail): .excessive(masked(detail))
    case .page(let number, let problem): .page(number, masked(problem))
    case .server(let name, let problem): .server(name, masked(problem))
    case .refused(let code, let message): .refused(code: code, message: masked(message))
    case .noneChosen(let patterns, let names): .noneChosen(patterns: patterns.map(masked), names: names.map(masked))
    default: problem
    }
  }

  private func masked(_ note: ListingNote) -> ListingNote {
    switch note {
    case .withoutEnclosure(let title): .withoutEnclosure(title: masked(title))
    case .onlyImage(let title): .onlyImage(title: masked(title))
    case .live(let title): .live(title: masked(title))
    case .badURL(let text): .badURL(masked(text))
    case .localFile(let text): .localFile(masked(text))
    case .outsideRoots(let text): .outsideRoots(masked(text))
    case .withoutFeed(let title): .withoutFeed(title: masked(title))
    case .repeatedFeed(let title): .repeatedFeed(title: masked(title))
    case .notFollowed(let text): .notFollowed(masked(text))
    case .unmatchedPattern(let key, let pattern, let names):
      .unmatchedPattern(key: key, masked(pattern), names: names.map(masked))
    case .badDate(let text): .badDate(masked(text))
    case .unknownReference(let text): .unknownReference(masked(text))
    default: note
    }
  }
}

extension ListingEntry {
  fileprivate var addresses: [RemoteURL] {
    [url] + alternatives + files.map(\.url) + [image, chapters, transcript].compactMap(\.self)
  }
}

extension ResponseFacts {
  /// Masks the fields that are only shown. A validator that contains a secret is dropped, because it would be stored.
  package mutating func mask(with mask: SecretMask) {
    guard !mask.isEmpty else { return }
    contentLengths = contentLengths.map(mask.masked)
    contentRange = contentRange.map(mask.masked)
    contentType = contentType.map(mask.masked)
    contentEncoding = contentEncoding.map(mask.masked)
    if let tag = etag, mask.finds(in: tag) { etag = nil }
    if let date = lastModified, mask.finds(in: date) { lastModified = nil }
  }
}
