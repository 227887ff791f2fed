// SPDX-License-Identifier: Apache-2.0

/// The way in which a person logs in.
package enum LoginWay: String, CaseIterable, Sendable {
  /// A browser is opened on this machine, and comes back to it.
  case browser
  /// The person opens a URL, here or elsewhere.
  case url
  /// The person types a code at a page, on any device (RFC 8628).
  case device

  /// Decides the way.
  /// - Parameters:
  ///   - wanted: The way that was asked for. Nil for none.
  ///   - hasBrowser: True if a browser can be opened on this machine.
  /// - Throws: The endpoint that the provider lacks.
  package static func choose(
    _ wanted: LoginWay?, hasBrowser: Bool, _ endpoints: OAuthEndpoints
  ) throws(LoginDefect) -> LoginWay {
    let (hasPage, takesDevices) = (endpoints.authorization != nil, endpoints.device != nil)
    switch wanted {
    case .device?: if takesDevices { return .device } else { throw .noEndpoint(.device) }
    case let way?: if hasPage { return way } else { throw .noEndpoint(.authorization) }
    case nil: break
    }
    if hasPage, hasBrowser { return .browser }
    if takesDevices { return .device }
    if hasPage { return .url }
    throw .noEndpoint(.authorization)
  }
}

/// The signs of a browser in the environment of a process.
package struct BrowserSigns: Sendable {
  /// The program that opens a page. Nil without a browser on this machine.
  package let opener: String?

  /// A program that `BROWSER` names counts everywhere. A display counts if the person is at this machine.
  package init(_ variables: [String: String]) {
    func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }
    let isRemote = value("SSH_CONNECTION") != nil || value("SSH_TTY") != nil
    let hasDisplay = value("WAYLAND_DISPLAY") != nil || value("DISPLAY") != nil
    if let named = value("BROWSER")?.split(separator: ":").first {
      opener = String(named)
    } else {
      opener = hasDisplay && !isRemote ? "xdg-open" : nil
    }
  }
}

/// The steps of a login that the person sees.
package enum LoginStep: Hashable, Sendable {
  /// A browser was asked to open the URL.
  case opened(url: String)
  /// The person is to open the URL. The browser comes back to `redirect`.
  case open(url: String, redirect: String)
  case device(DeviceOffer)
}
