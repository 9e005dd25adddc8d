// The LV2 plug-ins on a search path: for lists, scans and descriptions.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import ForeignPlugIns
import HostSystem
internal import LV2Bundles

/// The current bundles of a search path, from the cache where that is fresh.
///
/// Reading it opens no binary.
public struct LV2Catalog: ComponentCatalog {
  let index: LV2Index
  let cacheFolder: String?
  let programList: LV2ProgramList
  /// The chosen plug-in of each URI with its bundle, in the order of the list.
  let chosen: [(uri: String, bundle: Int, plugin: Int)]

  /// Updates the index.
  ///
  /// - Parameters:
  ///   - searchPath: As for `LV2ComponentSource`.
  ///   - cacheFolder: As for `LV2ComponentSource`.
  ///   - reader: Reads bundles in child processes; nil to read them in this one.
  ///   - programs: How to read programs that only the plug-ins' code knows.
  ///   - isForced: Whether to ignore the cache.
  ///
  /// Context: control.
  public init(
    searchPath: String? = nil, cacheFolder: String? = nil,
    reader: (any IsolatedReader)? = nil, programs: LV2ProgramReading = .never,
    isForced: Bool = false
  ) {
    let folder = cacheFolder ?? CacheFile.standardFolder
    self.cacheFolder = folder?.isEmpty == true ? nil : folder
    programList = LV2ProgramList(
      cacheFolder: self.cacheFolder, reading: programs,
      trial: { LV2ProgramTrial.programs(of: $0) })
    index = LV2Index(
      path: LV2SearchPath(searchPath), cacheFolder: self.cacheFolder, reader: reader,
      isForced: isForced)
    var places: [String: Int] = [:]
    var chosen: [(uri: String, bundle: Int, plugin: Int)] = []
    for (bundleIndex, bundle) in index.bundles.enumerated() {
      for (pluginIndex, plugin) in bundle.plugins.enumerated() {
        if let place = places[plugin.uri] {
          let other = chosen[place]
          let known = index.bundles[other.bundle].plugins[other.plugin]
          guard plugin.isNewer(than: known) else { continue }
          chosen[place] = (plugin.uri, bundleIndex, pluginIndex)
        } else {
          places[plugin.uri] = chosen.count
          chosen.append((plugin.uri, bundleIndex, pluginIndex))
        }
      }
    }
    self.chosen = chosen
  }

  /// "lv2".
  public var formatName: String { ComponentOrigin.lv2.rawValue }

  /// Each plug-in once: of a URI in several bundles, the highest version is used, and the first of equal
  /// ones.
  ///
  /// Context: any.
  public func discover() -> ComponentDiscovery {
    let presetBundles = presetBundles
    var discovery = ComponentDiscovery()
    for place in chosen {
      let bundle = index.bundles[place.bundle]
      let loader = loader(of: place.uri, in: bundle, presetBundles[place.uri] ?? [])
      discovery.components.append(
        LV2Catalog.component(bundle.plugins[place.plugin], in: bundle.path) {
          () throws(AuricleError) in try loader.load()
        })
    }
    for bundle in index.bundles {
      for problem in bundle.problems {
        discovery.problems.append(ComponentProblem(path: bundle.path, message: problem))
      }
    }
    return discovery
  }

  /// The bundles that have presets, by the URIs of their plug-ins.
  private var presetBundles: [String: [String]] {
    var found: [String: [String]] = [:]
    for bundle in index.bundles {
      for preset in bundle.presets where found[preset.plugin]?.last != bundle.path {
        if bundle.mayHoldPresets(for: preset.plugin) {
          found[preset.plugin, default: []].append(bundle.path)
        }
      }
    }
    return found
  }

  /// Reads the data of the plug-in with a URI; nil when there is none.
  func loader(of uri: String) -> LV2PluginLoader? {
    chosen.first { $0.uri == uri }.map {
      loader(of: uri, in: index.bundles[$0.bundle], presetBundles[uri] ?? [])
    }
  }

  private func loader(
    of uri: String, in bundle: LV2BundleRecord, _ presetBundles: [String]
  ) -> LV2PluginLoader {
    LV2PluginLoader(
      uri: uri, bundles: [bundle.path] + presetBundles.filter { $0 != bundle.path },
      description: { [index, cacheFolder] in
        let details = index.details(of: bundle, plugin: uri, cacheFolder: cacheFolder)
        var description = details.plugins.first { $0.description.uri == uri }?.description
        description?.presets = index.presets(of: uri, ownBundle: bundle.path).map {
          LV2Preset(uri: $0.uri, label: $0.name)
        }
        return description
      },
      substitute: { [index, cacheFolder] in
        bundle.hasCode
          ? LV2DynamicManifest.substitute(
            for: index.details(of: bundle, cacheFolder: cacheFolder), cacheFolder: cacheFolder)
          : nil
      }, programList: programList)
  }

  /// Returns the data files' facts on a plug-in; nil when it is not in this catalog.
  ///
  /// Context: control.
  public func metadata(of component: AudioComponent) -> (any ComponentMetadata)? {
    plugIn(component)
  }

  /// The binary and the data files.
  ///
  /// Context: control.
  public func files(of component: AudioComponent) -> [String] {
    plugIn(component).map { [$0.facts.binary] + $0.stamps.map(\.path) } ?? []
  }

  private func plugIn(_ component: AudioComponent) -> LV2PlugInMetadata? {
    guard let uri = component.location.identifier,
      let place = chosen.first(where: { $0.uri == uri })
    else { return nil }
    let bundle = index.bundles[place.bundle]
    let details = index.details(of: bundle, plugin: uri, cacheFolder: cacheFolder)
    guard let plugin = details.plugins.first(where: { $0.description.uri == uri }) else {
      return nil
    }
    return LV2PlugInMetadata(
      record: bundle.plugins[place.plugin], details: plugin,
      presets: index.presets(of: uri, ownBundle: bundle.path),
      programList: programList, stamps: bundle.stamps, bundle: bundle.path)
  }

  static func component(
    _ plugin: LV2PluginRecord, in bundle: String,
    load: @escaping @Sendable () throws(AuricleError) -> LV2Plugin
  ) -> AudioComponent {
    let identity = PlugInIdentity(of: plugin.uri)
    let tags = plugin.classTags
    return unsafe AudioComponent(
      description: AudioComponentDescription(
        componentType: plugin.componentType(tags), componentSubType: identity.subtype,
        componentManufacturer: identity.manufacturer, componentFlags: 0, componentFlagsMask: 0),
      name: "\(plugin.maker): \(plugin.name)", version: plugin.componentVersion, origin: .lv2,
      location: .plugIn(bundle, identifier: plugin.uri), tags: tags,
      summary: plugin.summary,
      makePlugIn: { description throws(AuricleError) in
        unsafe try LV2UnitFactory.make(load(), description)
      })
  }
}

extension LV2BundleRecord {
  /// Whether lilv may load this bundle for its presets of another bundle's plug-in: only sound bundles,
  /// without a second description of the plug-in.
  func mayHoldPresets(for uri: String) -> Bool {
    problems.isEmpty && !hasCode && !plugins.contains { $0.uri == uri }
  }
}

extension LV2Index {
  /// The presets for a plug-in, in the order of its unit.
  func presets(of uri: String, ownBundle: String) -> [PresetListing] {
    var presets: [PresetListing] = []
    for bundle in bundles where bundle.path == ownBundle || bundle.mayHoldPresets(for: uri) {
      for preset in bundle.presets
      where preset.plugin == uri && !presets.contains(where: { $0.uri == preset.uri }) {
        presets.append(
          PresetListing(
            uri: preset.uri,
            name: preset.label.isEmpty ? LV2Text.tail(ofURI: preset.uri) : preset.label,
            bank: preset.bank.isEmpty ? nil : preset.bank, bundle: bundle.path))
      }
    }
    return presets.sorted { ($0.name, $0.uri) < ($1.name, $1.uri) }
  }
}

extension LV2PluginRecord {
  /// Whether the record is of a later version than another of the same URI.
  func isNewer(than other: LV2PluginRecord) -> Bool {
    (minorVersion, microVersion) > (other.minorVersion, other.microVersion)
  }
}
