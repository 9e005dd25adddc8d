// The programs of plug-ins that are not open: read once in a child process, and cached.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import ForeignPlugIns
import HostSystem
internal import LV2Bundles

/// The method of reading programs before a unit is initialized: only the plug-in's code knows them.
public enum LV2ProgramReading: Sendable {
  /// Only from the cache.
  case never
  /// By opening the plug-in in this process when needed.
  case here
  /// By a child process, which receives a URI and returns the result of `LV2Catalog.readCode`; nil when that
  /// failed.
  case apart(@Sendable (String) -> [UInt8]?)
}

/// The source of programs.
struct LV2ProgramList: Sendable {
  private static let kind = "AuLV2P01"
  let cacheFolder: String?
  let reading: LV2ProgramReading
  /// Opens a plug-in in this process for its programs.
  let trial: @Sendable (LV2Plugin) -> [LV2Program]

  /// Returns the programs of a plug-in whose data announces some.
  func programs(of plugin: LV2Plugin) -> [LV2Program] {
    guard plugin.description.mayHavePrograms else { return [] }
    let stamp = PathStamp(of: plugin.description.binaryPath)
    let file = cacheFolder.map {
      let bundle = CacheFile.name(for: plugin.description.bundlePath + plugin.description.uri)
      return "\($0)/lv2/\(bundle).programs.bin"
    }
    if let file, let content = CacheFile.contents(of: file, kind: Self.kind),
      let known = Self.decode(content), known.stamp == stamp
    {
      return known.programs
    }
    let found: [LV2Program]
    switch reading {
    case .never: return []
    case .here: found = trial(plugin)
    case .apart(let read):
      // A plug-in that fails there is not tried again before it changes.
      found = read(plugin.description.uri).flatMap { Self.decode($0)?.programs } ?? []
    }
    if let file { CacheFile.store(Self.encode(stamp, found), at: file, kind: Self.kind) }
    return found
  }

  static func encode(_ stamp: PathStamp, _ programs: [LV2Program]) -> [UInt8] {
    var (stamp, programs) = (stamp, programs)
    var coder = ByteCoder()
    coder.stamp(&stamp)
    coder.programs(&programs)
    return Array(coder.bytes)
  }

  private static func decode(_ bytes: [UInt8]) -> (stamp: PathStamp, programs: [LV2Program])? {
    var stamp = PathStamp.blank
    var programs: [LV2Program] = []
    var coder = ByteCoder(bytes[...])
    coder.stamp(&stamp)
    coder.programs(&programs)
    return coder.isComplete ? (stamp, programs) : nil
  }
}

extension ByteCoder {
  fileprivate mutating func programs(_ programs: inout [LV2Program]) {
    list(&programs, of: LV2Program()) { coder, program in
      coder.number(&program.bank)
      coder.number(&program.program)
      coder.text(&program.name)
      coder.list(&program.settings, of: LV2Program.Setting(symbol: "", value: 0)) {
        $0.text(&$1.symbol)
        $0.float(&$1.value)
      }
    }
  }
}
