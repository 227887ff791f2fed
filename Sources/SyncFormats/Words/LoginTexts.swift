// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The texts of the commands `login` and `logout`.
package enum LoginTexts {
  /// The text for the person, of one or more lines, without a newline at its end.
  package static func text(_ step: LoginStep) -> String {
    switch step {
    case .opened(let url):
      "A browser should open now. If it does not, open this page:\n\n  \(url.printable)\n\nWaiting for it to come back …"
    case .open(let url, let redirect):
      "Open this page in a browser:\n\n  \(url.printable)\n\nIf the browser is on another machine, it ends at an address"
        + " that begins with \(redirect) and that it cannot show: paste that address here.\nWaiting …"
    case .device(let offer):
      "Open this page on any device:\n\n  \(offer.page.printable)\n\nand type this code there:\n\n  "
        + "\(offer.userCode.printable)\n\n"
        + (offer.wholePage.map { "or open the page with the code in it:\n\n  \($0.printable)\n\n" } ?? "")
        + "Waiting, for at most \(offer.lifetime.spanWords) …"
    }
  }

  package static func made(_ name: String, provider: String, path: String, isRenewable: Bool) -> String {
    "\(name): logged in at \(provider.printable); the tokens are in \(path.quoted)"
      + (isRenewable ? "" : "\nthe provider gave no token to renew them with, so the login ends with its first token")
  }

  package static func wouldMake(_ name: String, provider: String, path: String) -> String {
    "\(name): would ask \(provider.printable) for a login, and keep its tokens in \(path.quoted)"
  }

  package static func ended(_ name: String, provider: String, isRevoked: Bool) -> String {
    isRevoked
      ? "\(name): logged out at \(provider.printable); the tokens are removed"
      : "\(name): the tokens are removed; \(provider.printable) has no way to be told, so that they may stay good until they"
        + " end by themselves"
  }

  package static func wouldEnd(_ name: String, provider: String, path: String) -> String {
    "\(name): would end the login at \(provider.printable), and remove \(path.quoted)"
  }

  package static func nothingToEnd(_ name: String) -> String { "\(name): there is no login" }
}
