// SPDX-License-Identifier: Apache-2.0
import SyncFormats
import Testing

@Suite("words for a wrong call")
struct UsageWordsTests {
  @Test(
    "a usage error names what was typed, and what to do",
    arguments: [
      (
        UsageProblem.unknownVariable("SYNCJOB_MAXDELETE", nearest: "SYNCJOB_MAX_DELETE"),
        "$SYNCJOB_MAXDELETE belongs to no flag of any command; did you mean $SYNCJOB_MAX_DELETE?"
      ),
      (
        .unknownVariable("SYNCJOB_X", nearest: nil),
        "$SYNCJOB_X belongs to no flag of any command; unset it, or see the flags with: syncjob run --help"
      ),
      (
        .badSwitch("SYNCJOB_DRY_RUN", "maybe"),
        "$SYNCJOB_DRY_RUN must be 1, true, yes, on, 0, false, no or off, but is \"maybe\""
      ),
      (
        .flagOnlyTyped("SYNCJOB_ALL", flag: "--all", command: "remove"),
        "$SYNCJOB_ALL is set, and remove takes --all only from the command line, so that no variable decides which files"
          + " go; unset it, or type --all"
      ),
      (.variableNotUTF8("SYNCJOB_EVENTS"), "the value of $SYNCJOB_EVENTS is not UTF-8; set it to text in UTF-8"),
      (
        .argumentNotUTF8("T/\\xE9"),
        "the argument \"T/\\xE9\" is not UTF-8; rename the file, or go to its folder first"
      ),
      (
        .unknownCommand("plna", parent: nil, nearest: "plan"),
        "\"plna\" is neither a command nor a file; did you mean \"plan\"?"
      ),
      (
        .unknownCommand("zzz", parent: nil, nearest: nil),
        "\"zzz\" is neither a command nor a file; see the commands with: syncjob --help"
      ),
      (.unknownTopic("zzz", nearest: nil), "there is no command \"zzz\"; see the commands with: syncjob --help"),
      (.unknownTopic("plna", nearest: "plan"), "there is no command \"plna\"; did you mean: syncjob help plan"),
      (
        .unknownCommand("exprot", parent: "state", nearest: "export"),
        "state has no command \"exprot\"; did you mean \"state export\"?"
      ),
      (
        .unknownCommand("zzz", parent: "state", nearest: nil),
        "state has no command \"zzz\"; see: syncjob state --help"
      ),
      (.plannedCommand("choose"), "\"choose\" is not part of this version; see the commands with: syncjob --help"),
      (.plannedFlag("--shard"), "\"--shard\" is not part of this version"),
      (.misplacedCommand("plan"), "the command comes before its options: syncjob plan …"),
      (
        .missingSubcommand(of: "state", ["export", "import"]),
        "state needs a command: syncjob state export or syncjob state import"
      ),
      (
        .unknownFlag("--qiet", command: "plan", nearest: "--quiet", takesArguments: true),
        "plan has no option --qiet; did you mean --quiet?"
      ),
      (
        .unknownFlag("-x", command: "plan", nearest: nil, takesArguments: false),
        "plan has no option -x; see: syncjob plan --help"
      ),
      (
        .unknownFlag("-x", command: "pin", nearest: nil, takesArguments: true),
        "pin has no option -x; see: syncjob pin --help (an argument that begins with a dash comes after --)"
      ),
      (.missingValue(flag: "--now", name: "time"), "--now lacks its value: --now <time>"),
      (.needlessValue(flag: "--json", "3"), "--json takes no value, but is given \"3\""),
      (.missingArgument("items", command: "pin"), "pin lacks an argument: <items>; see: syncjob pin --help"),
      (
        .unexpectedArguments(["b", "c"], command: "run"),
        "run takes no such argument: \"b\", \"c\"; see: syncjob run --help"
      ),
      (.manifestForItem("ok.yaml"), "\"ok.yaml\" is a file, not an item; did you mean -m ok.yaml?"),
      (
        .twoManifests("a.yaml", "b.yaml"), "two manifests are named, \"a.yaml\" and \"b.yaml\"; name one of them"
      ),
      (
        .parser("Something odd\n  happened.", command: "run"), "something odd happened; see: syncjob run --help"
      ),
    ])
  func sentences(_ problem: UsageProblem, _ words: String) { #expect(problem.words == words) }
}
