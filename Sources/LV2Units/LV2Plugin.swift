// One plug-in ready to be opened: its world and its description, read once and shared.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
internal import Synchronization

/// A plug-in whose data has been read; its binary has not been touched.
final class LV2Plugin: Sendable {
  let world: LV2World
  let description: LV2PluginDescription

  init(world: LV2World, description: LV2PluginDescription) {
    self.world = world
    self.description = description
  }
}

/// Reads a plug-in's data when it is first opened, and keeps it for further instances.
final class LV2PluginLoader: Sendable {
  private let uri: String
  private let bundles: [String]
  private let untranslated: @Sendable () -> LV2PluginDescription?
  private let standIn: @Sendable () -> String?
  private let loaded = Mutex<LV2Plugin?>(nil)

  /// Remembers where to look.
  ///
  /// - Parameters:
  ///   - bundles: The plug-in's own bundle first, then those with presets for it.
  ///   - untranslated: The description with the names that have no language, or English ones.
  ///   - standIn: A folder for lilv to read in place of a bundle that has a dynamic manifest.
  init(
    uri: String, bundles: [String],
    untranslated: @escaping @Sendable () -> LV2PluginDescription? = { nil },
    standIn: @escaping @Sendable () -> String? = { nil }
  ) {
    self.standIn = standIn
    self.uri = uri
    self.bundles = bundles
    self.untranslated = untranslated
  }

  /// The plug-in; the first call reads its data.
  ///
  /// - Throws: `.unavailable` when the data is gone or no longer describes the plug-in.
  func load() throws(AuricleError) -> LV2Plugin {
    let plugin = loaded.withLock { plugin -> LV2Plugin? in
      if let plugin { return plugin }
      // lilv complains on standard error about bundles that went away: it is not asked for them.
      let present = bundles.filter { LV2FileStamp(of: $0 + "/manifest.ttl").exists }
      guard present.first == bundles.first else { return nil }
      if let folder = standIn() {
        plugin = load(folder, present)
        return plugin
      }
      guard let world = LV2World(bundles: present),
        var description = LV2PluginReading.description(of: uri, in: world)
      else { return nil }
      // lilv gives names in the language of $LANG; a preset that names a parameter must not depend on it.
      if LV2PluginLoader.mayTranslate, let told = untranslated() { description.takeNames(of: told) }
      plugin = LV2Plugin(world: world, description: description)
      return plugin
    }
    guard let plugin else {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FailedInitialization,
        "the LV2 bundle \(bundles.first ?? "") no longer describes <\(uri)>")
    }
    return plugin
  }

  /// The plug-in of a bundle whose own code told of its plug-ins; nil when it is not among them.
  ///
  /// lilv is not shown the bundle itself: it may be made to run that code.
  private func load(_ standIn: String, _ bundles: [String]) -> LV2Plugin? {
    guard var description = untranslated(),
      let world = LV2World(bundles: [standIn] + bundles.dropFirst()),
      let told = LV2PluginReading.description(of: uri, in: world)
    else { return nil }
    description.presets = told.presets
    return LV2Plugin(world: world, description: description)
  }

  /// Whether lilv may answer in a language of its user's.
  private static var mayTranslate: Bool {
    guard let language = environment("LANG"), !language.isEmpty else { return false }
    return !["C", "POSIX"].contains(language) && !language.hasPrefix("C.")
  }
}

extension LV2PluginDescription {
  /// Takes over what a person reads: the names of the plug-in, its ports, groups and values.
  fileprivate mutating func takeNames(of other: LV2PluginDescription) {
    guard ports.count == other.ports.count else { return }
    name = other.name
    for index in ports.indices where ports[index].symbol == other.ports[index].symbol {
      ports[index].name = other.ports[index].name
      ports[index].scalePoints = other.ports[index].scalePoints
    }
    for index in groups.indices {
      groups[index].name =
        other.groups.first { $0.uri == groups[index].uri }?.name
        ?? groups[index].name
    }
    for index in properties.indices {
      properties[index].name =
        other.properties.first { $0.uri == properties[index].uri }?.name
        ?? properties[index].name
    }
  }
}
