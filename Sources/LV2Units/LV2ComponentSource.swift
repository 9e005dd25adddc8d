// The LV2 plug-ins of this machine as components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox

/// Every plug-in of every LV2 bundle on a search path.
///
/// Discovery reads data files, or what a cache remembers of them; it opens no binary.
public struct LV2ComponentSource: AudioComponentSource {
  private let path: LV2SearchPath
  private let cacheFolder: String?

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - searchPath: Folders of bundles, parted by ":"; nil for LV2_PATH, or without it ~/.lv2,
  ///     /usr/local/lib/lv2 and /usr/lib/lv2.
  ///   - cacheFolder: Where the index is kept; nil for $XDG_CACHE_HOME/auricle or
  ///     ~/.cache/auricle, empty for nowhere. That it cannot be written is no error.
  ///
  /// Context: any.
  public init(searchPath: String? = nil, cacheFolder: String? = nil) {
    path = LV2SearchPath(searchPath)
    let folder = cacheFolder ?? LV2Index.standardCacheFolder()
    self.cacheFolder = folder?.isEmpty == true ? nil : folder
  }

  /// Lists each plug-in once; a URI in several bundles is taken from the one of the greatest version,
  /// and of equal ones from the first.
  ///
  /// A bundle whose data cannot be read is a problem and costs only itself.
  ///
  /// Context: control.
  public func discover() -> ComponentDiscovery {
    let index = LV2Index(path: path, cacheFolder: cacheFolder)
    var chosen: [String: (bundle: Int, plugin: Int)] = [:]
    var order: [String] = []
    for (bundleIndex, bundle) in index.bundles.enumerated() {
      for (pluginIndex, plugin) in bundle.plugins.enumerated() {
        if let other = chosen[plugin.uri] {
          let known = index.bundles[other.bundle].plugins[other.plugin]
          guard plugin.isNewer(than: known) else { continue }
        } else {
          order.append(plugin.uri)
        }
        chosen[plugin.uri] = (bundleIndex, pluginIndex)
      }
    }
    var presetBundles: [String: [String]] = [:]
    for bundle in index.bundles {
      for preset in bundle.presets where presetBundles[preset.plugin]?.last != bundle.path {
        presetBundles[preset.plugin, default: []].append(bundle.path)
      }
    }
    var discovery = ComponentDiscovery()
    for uri in order {
      guard let place = chosen[uri] else { continue }
      let bundle = index.bundles[place.bundle]
      discovery.components.append(
        LV2ComponentSource.component(
          bundle.plugins[place.plugin], in: bundle.path, presetBundles[uri] ?? []))
    }
    for bundle in index.bundles {
      for problem in bundle.problems {
        discovery.problems.append(ComponentProblem(path: bundle.path, message: problem))
      }
    }
    return discovery
  }

  private static func component(
    _ plugin: LV2PluginRecord, in bundle: String, _ presetBundles: [String]
  ) -> AudioComponent {
    let identity = LV2Identity(uri: plugin.uri)
    let uri = plugin.uri
    let loader = LV2PluginLoader(
      uri: uri, bundles: [bundle] + presetBundles.filter { $0 != bundle })
    return unsafe AudioComponent(
      description: AudioComponentDescription(
        componentType: plugin.componentType, componentSubType: identity.subtype,
        componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0),
      name: "\(plugin.maker): \(plugin.name)", version: plugin.componentVersion, origin: .lv2,
      location: .uri(uri, bundle: bundle), tags: plugin.classTags, summary: plugin.summary,
      makePlugIn: { description throws(AuricleError) in
        unsafe try LV2UnitFactory.make(loader.load(), description)
      })
  }
}

extension LV2PluginRecord {
  /// Whether the record is of a later version than another of the same URI.
  fileprivate func isNewer(than other: LV2PluginRecord) -> Bool {
    (minorVersion, microVersion) > (other.minorVersion, other.microVersion)
  }
}
