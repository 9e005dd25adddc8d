// What a scan of LV2 bundles found, for `auricle scan`.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents

/// One bundle in a scan.
public struct LV2BundleSummary: Sendable, Hashable {
  /// One of its plug-ins.
  public struct PlugIn: Sendable, Hashable {
    /// Its URI.
    public var uri: String
    /// Its name without its maker.
    public var name: String
    /// minorVersion and microVersion: "2.4".
    public var version: String
    /// The folder of the bundle whose plug-in of the same URI is used instead; nil when this one is.
    public var shadowedBy: String?
  }

  /// The folder.
  public var path: String
  /// Tells whether its data files are those of another scan.
  public var fingerprint: String
  /// Its plug-ins.
  public var plugIns: [PlugIn]
  /// How many presets it holds.
  public var presetCount: Int
  /// What is wrong with it, a sentence each; a defect of a Turtle file begins with file:line:column.
  public var problems: [String]
}

extension LV2Catalog {
  /// All bundles, in the order of the search path.
  ///
  /// Context: any.
  public var bundles: [LV2BundleSummary] {
    var used: [String: Int] = [:]
    for place in chosen { used[place.uri] = place.bundle }
    return index.bundles.enumerated().map { number, bundle in
      var seen: Set<String> = []
      let plugIns = bundle.plugins.map { plugin in
        let other = used[plugin.uri].flatMap { $0 == number ? nil : index.bundles[$0].path }
        let isTwice = !seen.insert(plugin.uri).inserted
        return LV2BundleSummary.PlugIn(
          uri: plugin.uri, name: plugin.name,
          version: "\(plugin.minorVersion).\(plugin.microVersion)",
          shadowedBy: other ?? (isTwice ? bundle.path : nil))
      }
      let stamps = bundle.stamps.map {
        "\($0.path) \($0.device) \($0.inode) \($0.size) \($0.seconds) \($0.nanoseconds)"
      }
      return LV2BundleSummary(
        path: bundle.path, fingerprint: CacheFile.name(for: stamps.joined(separator: "\n")),
        plugIns: plugIns, presetCount: bundle.presets.count, problems: bundle.problems)
    }
  }

  /// The plug-ins in use that cannot be used, by what can be seen without opening them.
  ///
  /// Context: control.
  public func unusablePlugIns() -> [LV2UnusablePlugIn] {
    var found: [LV2UnusablePlugIn] = []
    for (number, bundle) in index.bundles.enumerated() {
      let uris = Set(chosen.filter { $0.bundle == number }.map(\.uri))
      for plugin in index.details(of: bundle, cacheFolder: cacheFolder).plugins
      where uris.contains(plugin.description.uri) {
        let binary = plugin.description.binaryPath
        var entry = LV2UnusablePlugIn(
          uri: plugin.description.uri, bundle: bundle.path, reason: "", lacksBinary: true)
        if !FileStamp(of: binary).exists {
          entry.reason = "its binary \(binary) is missing"
        } else {
          do throws(LV2Failure) {
            try LV2Instance.check(plugin.description)
            continue
          } catch {
            entry.reason = error.reason
            entry.lacksBinary = false
          }
        }
        found.append(entry)
      }
    }
    return found
  }
}

/// A plug-in that cannot be used.
public struct LV2UnusablePlugIn: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// The folder of its bundle.
  public var bundle: String
  /// Why, as the rest of a sentence.
  public var reason: String
  /// Whether its binary is not there.
  public var lacksBinary: Bool
}
