// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let checked: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// For targets that have no business with pointers.
let safe = checked + [.strictMemorySafety()]

let package = Package(
  name: "syncjob",
  products: [
    .executable(name: "syncjob", targets: ["syncjob"]),
    .executable(name: "syncjob-tags", targets: ["syncjob-tags"]),
    .executable(name: "syncjob-demo", targets: ["syncjob-demo"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
  ],
  targets: [
    // decides
    .target(name: "SyncCore", swiftSettings: safe),

    // loads C libraries late
    .target(name: "DynamicLibrary", swiftSettings: checked),

    // translates
    .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .target(name: "YAML", dependencies: ["CLibYAML"], swiftSettings: checked),
    // Loaded when it is needed and not linked, so without `pkgConfig`, which would link it.
    .systemLibrary(name: "CLibXML2", providers: [.apt(["libxml2-dev"])]),
    .target(
      name: "XML", dependencies: ["CLibXML2", "DynamicLibrary"],
      swiftSettings: checked + [.unsafeFlags(["-Xcc", "-I/usr/include/libxml2"])]),
    // As libxml2, loaded when it is needed.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "SQLite", dependencies: ["CSQLite", "DynamicLibrary"], swiftSettings: checked),
    .target(name: "SyncFormats", dependencies: ["SyncCore", "YAML", "XML", "SQLite"], swiftSettings: checked),

    // As libxml2, loaded when it is needed.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Gzip", dependencies: ["CZlib", "DynamicLibrary"], swiftSettings: checked),

    // touches files
    .target(name: "CPosix"),
    .target(
      name: "SyncDisk",
      dependencies: ["SyncCore", "SyncFormats", "CPosix", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: checked),

    // reads and writes tags, as a program of its own: TagLib parses files from anywhere
    .executableTarget(name: "syncjob-tags", linkerSettings: [.linkedLibrary("tag")]),

    // talks to servers and programs
    // As libxml2, loaded when it is needed.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "Curl", dependencies: ["CCurl", "CPosix", "DynamicLibrary"], swiftSettings: checked),
    .target(name: "SyncNet", dependencies: ["SyncDisk", "Curl", "Gzip"], swiftSettings: checked),

    // runs the pipeline
    .target(name: "SyncJob", dependencies: ["SyncNet"], swiftSettings: checked),

    // talks to the person
    .executableTarget(
      name: "syncjob",
      dependencies: [
        "SyncCore", "SyncFormats", "SyncDisk", "SyncNet", "SyncJob",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: checked),

    // an origin for the demo, the benchmarks and the tests
    .target(name: "SyncTestSupport", path: "Tests/SyncTestSupport", swiftSettings: checked),
    .executableTarget(name: "syncjob-demo", dependencies: ["SyncTestSupport"], swiftSettings: checked),

    .testTarget(name: "SyncCoreTests", dependencies: ["SyncCore", "SyncTestSupport"], swiftSettings: checked),
    .testTarget(name: "YAMLTests", dependencies: ["YAML"], swiftSettings: checked),
    .testTarget(name: "XMLTests", dependencies: ["XML"], swiftSettings: checked),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "SyncTestSupport"], swiftSettings: checked),
    .testTarget(
      name: "SyncFormatsTests", dependencies: ["SyncFormats", "SyncCore", "SyncTestSupport"],
      exclude: ["Policy/Cases"],
      swiftSettings: checked),
    .testTarget(
      name: "CurlTests", dependencies: ["Curl", "DynamicLibrary", "SyncTestSupport"], swiftSettings: checked),
    // a file system in memory, which can lose bytes that were not flushed
    .target(
      name: "SyncDiskTestSupport", dependencies: ["SyncDisk", "SyncTestSupport"], path: "Tests/SyncDiskTestSupport",
      swiftSettings: checked),
    .testTarget(name: "SyncDiskTests", dependencies: ["SyncDiskTestSupport"], swiftSettings: checked),
    .testTarget(name: "SyncNetTests", dependencies: ["SyncNet", "SyncDiskTestSupport"], swiftSettings: checked),
    .testTarget(name: "SyncJobTests", dependencies: ["SyncJob", "SyncDiskTestSupport"], swiftSettings: checked),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["SyncTestSupport", "SyncFormats", "syncjob", "syncjob-demo"],
      exclude: ["Scenarios"],
      swiftSettings: checked),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// Only `scripts/fuzz` wants it: its main function is libFuzzer's.
if Context.environment["SYNCJOB_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzing", dependencies: ["SyncFormats", "SyncCore", "Curl"], path: "Tests/Fuzzing", exclude: ["Corpus"],
      swiftSettings: checked))
}
