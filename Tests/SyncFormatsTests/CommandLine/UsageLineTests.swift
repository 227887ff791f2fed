// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("the usage line of a help text")
struct UsageLineTests {
  @Test("keeps the arguments and folds the options when it is too long")
  func folded() {
    let options = "[--manifest <file>] [--playlist <glob> ...] [--lock-wait <time>] [--json] [--verbose ...]"
    #expect(
      UsageLine.fitted("OVERVIEW: x\n\nUSAGE: syncjob import files <folder> [<manifest>] \(options)\n\nARGUMENTS:")
        == "OVERVIEW: x\n\nUSAGE: syncjob import files [<options>] <folder> [<manifest>]\n\nARGUMENTS:")
    #expect(
      UsageLine.fitted("USAGE: syncjob retry [<items> ...] [--all] \(options)")
        == "USAGE: syncjob retry [<options>] [<items> ...]")
    #expect(
      UsageLine.fitted("USAGE: syncjob pin <items> ... \(options)") == "USAGE: syncjob pin [<options>] <items> ...")
    #expect(UsageLine.fitted("USAGE: syncjob schema [--json]") == "USAGE: syncjob schema [--json]")
  }
}
