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

  /// The plug-ins in use that cannot be used, or not wholly, by what can be seen without opening them.
  ///
  /// Context: control.
  public func unusablePlugIns() -> [LV2UnusablePlugIn] {
    var found: [LV2UnusablePlugIn] = []
    for (number, bundle) in index.bundles.enumerated() {
      let uris = Set(chosen.filter { $0.bundle == number }.map(\.uri))
      for plugin in index.details(of: bundle, cacheFolder: cacheFolder).plugins
      where uris.contains(plugin.description.uri) {
        if let obstacle = plugin.description.obstacle {
          found.append(
            LV2UnusablePlugIn(
              uri: plugin.description.uri, bundle: bundle.path, reason: obstacle.reason,
              remedy: obstacle.remedy, isUsedAllTheSame: obstacle.isUsedAllTheSame))
        }
      }
    }
    return found
  }
}

/// A plug-in that cannot be used, or not wholly.
public struct LV2UnusablePlugIn: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// The folder of its bundle.
  public var bundle: String
  /// Why, as the rest of a sentence.
  public var reason: String
  /// What to do about it, as an order.
  public var remedy: String
  /// Whether it is used as it is until then.
  public var isUsedAllTheSame: Bool
}

extension LV2PluginDescription {
  /// What keeps the plug-in, or one of its ports, from being used, and what to do about it.
  fileprivate var obstacle: (reason: String, remedy: String, isUsedAllTheSame: Bool)? {
    guard FileStamp(of: binaryPath).exists else {
      return ("its binary \(binaryPath) is missing", "install the bundle again", false)
    }
    do throws(LV2Failure) { try LV2Instance.check(self) } catch {
      return (error.reason, "use another plug-in", false)
    }
    return symbolDefect.map {
      ($0, "correct its data files; until then it is used as it is", true)
    }
  }

  /// A symbol of a port that is none, or that is another port's as well.
  private var symbolDefect: String? {
    var seen: [String: Int] = [:]
    for port in ports {
      let symbol = LV2Text.line(port.symbol)
      guard Self.isSymbol(port.symbol) else {
        return "the symbol \"\(symbol)\" of its port \(port.index) is none: one has letters, digits"
          + " and underscores, and begins with no digit"
      }
      if let other = seen[port.symbol] {
        return "its ports \(other) and \(port.index) have the same symbol \"\(symbol)\""
      }
      seen[port.symbol] = port.index
    }
    return nil
  }

  private static func isSymbol(_ text: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }
}
