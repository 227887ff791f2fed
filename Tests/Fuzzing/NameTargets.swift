// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A name made of anything is legal, short enough, and stays as it is when it is made again.
@Sendable func fuzzName(_ bytes: [UInt8]) {
  let text = bytes.text
  for isPortable in [false, true] {
    let naming = FileNaming(isPortable: isPortable)
    let name = naming.cleaned(text)
    must(
      naming.cleaned(name) == name,
      "\(name.debugDescription) is cleaned again to \(naming.cleaned(name).debugDescription)")
    checkName(name, isPortable)
    let fitted = naming.fitted(name, reserving: 10, tag: "0123abcd")
    must(fitted.utf8.count <= FileNaming.maximumBytes - 10, "\(fitted.utf8.count) bytes")
    checkName(fitted, isPortable)
  }
}

private func checkName(_ name: String, _ isPortable: Bool) {
  let forbidden: [Unicode.Scalar] = isPortable ? Array("/\\:*?\"<>|".unicodeScalars) : ["/"]
  for scalar in name.unicodeScalars {
    must(
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a control character in \(name.debugDescription)")
    must(!forbidden.contains(scalar), "\(scalar) in \(name.debugDescription)")
  }
  must(![".", "..", "-"].contains { name.hasPrefix($0) }, "\(name.debugDescription) begins with a dot or dash")
  must(!name.hasSuffix(".") && !name.hasSuffix(" "), "\(name.debugDescription) ends with a dot or blank")
}

/// A template is refused, or leads every item to a path inside the library, with components that every file system takes.
@Sendable func fuzzLayout(_ bytes: [UInt8]) {
  let pieces = bytes.pieces() + Array(repeating: "", count: 5)
  let template: LayoutTemplate
  do throws(LayoutTemplate.Problem) { template = try LayoutTemplate(pieces[0]) } catch { return }
  guard let id = ItemID(pieces[1].isEmpty ? "x" : pieces[1]), let main = url("http://h/a") else { return }
  var item = Item(id: id, title: pieces[2], main: Candidate(url: main))
  item.artist = pieces[3]
  item.published = Timestamp(secondsSince1970: Int64(bytes.count) * 100_000_000)
  let fields = LayoutFields(playlist: pieces[4], item: item, position: bytes.count)
  var paths: Set<LibraryPath> = []
  for attempt in 0..<3 {
    let path = template.path(
      fields, fileExtension: "mp3", naming: FileNaming(isPortable: bytes.count % 2 == 0), attempt: attempt)
    must(paths.insert(path).inserted, "\(path) for attempt \(attempt) as well")
    for component in path.components {
      must(component.utf8.count <= FileNaming.maximumBytes, "\(component.utf8.count) bytes in one component")
      must(component != "." && component != "..", "\(path) leaves its folder")
    }
  }
}

func url(_ text: String) -> RemoteURL? {
  do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { return nil }
}
