// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// A manifest with every default filled in, as YAML that reads back as an equal one.
package enum EffectiveManifest {
  /// The text. Credentials in URLs and in header fields such as `Authorization` are printed as `***`; a comment says
  /// so.
  package static func text(_ manifest: Manifest) -> String {
    guard case .mapping(let entries) = ManifestDraft.section.write(ManifestDraft(manifest)) else { return "" }
    let note = hidesSomething(manifest) ? "# Credentials are shown as ***: this is not the manifest to run.\n" : ""
    return note + ManifestText.lines(of: entries)
  }

  private static func isSecret(_ field: HTTPField) -> Bool {
    SecretNames.contain(field.name)
  }

  static func shownValue(of field: HTTPField) -> String { isSecret(field) ? "***" : field.value }

  static func withoutCredentials(_ url: RemoteURL) -> String {
    let shown = withoutTokens(url.text)
    let scheme = "\(url.scheme)://"
    return url.hasCredentials ? "\(scheme)***@\(shown.dropFirst(scheme.count))" : shown
  }

  private static func withoutTokens(_ url: String) -> String {
    guard let mark = url.firstIndex(of: "?") else { return url }
    let parameters = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let shown = parameters.map { parameter -> Substring in
      guard let equals = parameter.firstIndex(of: "=") else { return parameter }
      return SecretNames.contain(parameter[..<equals]) ? parameter[...equals] + "***" : parameter
    }
    return url[...mark] + shown.joined(separator: "&")
  }

  static func hidesToken(_ url: RemoteURL) -> Bool { withoutTokens(url.text) != url.text }

  private static func hidesSomething(_ manifest: Manifest) -> Bool {
    manifest.downloads.headers.contains(where: isSecret) || manifest.downloads.proxy.hasCredentials
      || manifest.report.ping?.url.map(\.isSecret) ?? false
      || [manifest.hooks.item, manifest.hooks.run].contains { ($0 ?? []).count > 1 }
      || manifest.protect.hidesSomething
      || manifest.servers.contains { $0.auth.hidesSomething }
      || manifest.playlists.contains { $0.hasCredentials || $0.auth?.hidesSomething == true }
  }
}

extension Playlist {
  fileprivate var hasCredentials: Bool {
    var isAnySecret = false
    source.forEachURL { isAnySecret = isAnySecret || $0.isSecret }
    return isAnySecret
  }
}

extension ProtectPolicy {
  /// True if there is a command with arguments, which may be secret.
  fileprivate var hidesSomething: Bool { if case .command(let words)? = keys { words.count > 1 } else { false } }
}

extension ProxyPolicy {
  fileprivate var hasCredentials: Bool { if case .url(let url) = self { url.hasCredentials } else { false } }
}

extension AuthSettings {
  /// True if there is a secret, or a command with arguments, which may be secret.
  fileprivate var hidesSomething: Bool { login?.secret?.hidesSomething ?? false }
}

extension SecretSource {
  fileprivate var hidesSomething: Bool {
    switch self {
    case .written: true
    case .file: false
    case .command(let words): words.count > 1
    }
  }
}

extension RemoteURL {
  /// True if a part of it must not be shown.
  fileprivate var isSecret: Bool { hasCredentials || EffectiveManifest.hidesToken(self) }
}
