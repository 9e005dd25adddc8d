// One plug-in ready to be opened: its world and its description, read once and shared.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import AudioTypes
internal import CAudioToolbox
import HostSystem
internal import LV2Bundles
internal import PlugInGuard
internal import RealtimeSupport
internal import Synchronization

/// A plug-in whose data has been read, but not its binary.
final class LV2Plugin: Sendable {
  let world: LV2World
  let description: LV2PluginDescription
  private let programList: LV2ProgramList
  private let knownPrograms = Mutex<[LV2Program]?>(nil)

  init(world: LV2World, description: LV2PluginDescription, programList: LV2ProgramList) {
    self.world = world
    self.description = description
    self.programList = programList
  }

  /// The programs that are no presets of its data, as far as known without an instance.
  var furtherPrograms: [LV2Program] { further(programs) }

  /// The programs that are no presets of its data by the same name: many plug-ins list theirs twice.
  func further(_ programs: [LV2Program]) -> [LV2Program] {
    let labels = Set(description.presets.map(\.label))
    return programs.filter { !labels.contains($0.name) }
  }

  /// The programs that are known without an instance; the first call may last long.
  private var programs: [LV2Program] {
    knownPrograms.withLock { known in
      if let known { return known }
      let found = programList.programs(of: self)
      known = found
      return found
    }
  }
}

/// Reads a plug-in's data when it is first opened, and keeps it for further instances.
final class LV2PluginLoader: Sendable {
  private let uri: String
  private let bundles: [String]
  private let description: @Sendable () -> LV2PluginDescription?
  private let substitute: @Sendable () -> String?
  private let programList: LV2ProgramList
  private let loaded = Mutex<LV2Plugin?>(nil)

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - bundles: The plug-in's own bundle first, then those with presets for it.
  ///   - description: The data files' facts, with untranslated or English names: presets that name a
  ///     parameter must not depend on the user's language.
  ///   - standIn: A folder that lilv reads instead of a bundle with a dynamic manifest, whose code it might
  ///     run.
  ///   - programList: Provides programs before the plug-in is loaded.
  init(
    uri: String, bundles: [String], description: @escaping @Sendable () -> LV2PluginDescription?,
    substitute: @escaping @Sendable () -> String?, programList: LV2ProgramList
  ) {
    self.uri = uri
    self.bundles = bundles
    self.description = description
    self.substitute = substitute
    self.programList = programList
  }

  /// The plug-in; the first call reads its data.
  ///
  /// - Throws: `.unavailable` when the data is gone or no longer describes the plug-in.
  func load() throws(AuricleError) -> LV2Plugin {
    let plugin = loaded.withLock { plugin -> LV2Plugin? in
      if let plugin { return plugin }
      plugin = ZeroedMemory.pausing { read() }
      return plugin
    }
    guard let plugin else {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FailedInitialization,
        "the LV2 bundle \(bundles.first ?? "") no longer describes <\(uri)>")
    }
    return plugin
  }

  /// Reads the plug-in's data; runs none of its code.
  private func read() -> LV2Plugin? {
    // lilv prints errors about missing bundles: they are not passed to it.
    var present = bundles.filter { LV2FileStamp(of: $0 + "/manifest.ttl").exists }
    guard present.first == bundles.first, let description = description() else { return nil }
    if let folder = substitute() { present[0] = folder }
    guard let world = LV2World(bundles: present), world.read(uri) else { return nil }
    return LV2Plugin(world: world, description: description, programList: programList)
  }
}
