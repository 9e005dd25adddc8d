// The result of a scan of LV2 bundles, for `auricle scan`.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import HostSystem
internal import LV2Bundles

extension LV2Catalog {
  /// All bundles, in the order of the search path.
  ///
  /// Context: any.
  public var bundles: [BundleSummary] {
    var used: [String: Int] = [:]
    for place in chosen { used[place.uri] = place.bundle }
    return index.bundles.enumerated().map { number, bundle in
      var seen: Set<String> = []
      let plugIns = bundle.plugins.map { plugin in
        let other = used[plugin.uri].flatMap { $0 == number ? nil : index.bundles[$0].path }
        let isTwice = !seen.insert(plugin.uri).inserted
        return BundleSummary.Unit(
          identifier: plugin.uri,
          version: "\(plugin.minorVersion).\(plugin.microVersion)",
          shadowedBy: other ?? (isTwice ? bundle.path : nil))
      }
      let stamps = bundle.stamps.map {
        "\($0.path) \($0.device) \($0.inode) \($0.size) \($0.seconds) \($0.nanoseconds)"
      }
      return BundleSummary(
        path: bundle.path, origin: .lv2,
        fingerprint: CacheFile.name(for: stamps.joined(separator: "\n")),
        units: plugIns, presetCount: bundle.presets.count, problems: bundle.problems)
    }
  }

  /// The plug-ins that cannot be used, or not fully, as far as is known without opening them.
  ///
  /// Context: control.
  public func unusableUnits() -> [UnusableUnit] {
    var found: [UnusableUnit] = []
    for (number, bundle) in index.bundles.enumerated() {
      let uris = Set(chosen.filter { $0.bundle == number }.map(\.uri))
      for plugin in index.details(of: bundle, cacheFolder: cacheFolder).plugins
      where uris.contains(plugin.description.uri) {
        if let obstacle = plugin.description.obstacle {
          found.append(
            UnusableUnit(
              identifier: plugin.description.uri, bundle: bundle.path, reason: obstacle.reason,
              remedy: obstacle.remedy, isUsedAllTheSame: obstacle.isUsedAllTheSame))
        }
      }
    }
    return found
  }
}

extension LV2PluginDescription {
  /// The reason why the plug-in, or one of its ports, cannot be used, and the remedy.
  fileprivate var obstacle: (reason: String, remedy: String, isUsedAllTheSame: Bool)? {
    guard PathStamp(of: binaryPath).exists else {
      return ("its binary \(binaryPath) is missing", "install the bundle again", false)
    }
    do throws(LV2Failure) { try LV2Instance.check(self) } catch {
      return (error.reason, "use another plug-in", false)
    }
    return symbolDefect.map {
      ($0, "correct its data files; until then it is used as it is", true)
    }
  }

  /// A port's symbol that is invalid or used twice.
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
