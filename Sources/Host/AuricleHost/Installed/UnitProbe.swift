// Probes a unit in a separate process, and caches the result until the unit changes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import Foundation
import HostSystem
import InstalledComponents
import WatchedProcesses

/// The outcome of opening a unit and running it for a moment.
struct UnitProbe: Codable, Sendable {
  /// The last report of the unit's process; nil when there was none.
  var report: UnitReport?
  /// The fault, as the end of a sentence; nil when all went well.
  var problem: String?
  /// Whether it crashed or hung.
  var wasDangerous: Bool
  /// The stamps of its files at that time.
  var stamps: [PathStamp]

  /// The cached result; nil when there is none that is still valid.
  static func remembered(_ component: AudioComponent) -> UnitProbe? {
    guard let file = file(for: component),
      let bytes = CacheFile.contents(of: file, kind: kind),
      var probe = try? decoder.decode(UnitProbe.self, from: Data(bytes)),
      probe.stamps.allSatisfy(\.isCurrent), probe.stamps.first?.path == component.location.path
    else { return nil }
    // An unblocked unit is not judged by earlier results.
    if probe.wasDangerous,
      ComponentBlocklist(folder: HostPlaces.cacheFolder).entry(for: component) == nil
    {
      probe.problem = nil
    }
    return probe
  }

  /// Opens and runs a unit in a separate process, and caches the result.
  ///
  /// - Parameters:
  ///   - component: The unit.
  ///   - host: The paths of the program.
  ///   - files: Its files besides its bundle's folder.
  static func run(_ component: AudioComponent, _ host: HostPlaces, files: [String]) -> UnitProbe {
    let stamps = ([component.location.path].compactMap(\.self) + files).map { PathStamp(of: $0) }
    // Both mean the same unit, also where another has its identity.
    var output: [UInt8] = []
    let child = try? WatchedProcess(
      program: host.executable, arguments: ["inspect-unit", component.uniqueName],
      output: .results(keepsErrors: false))
    let excess = child?.collect(ChildReader.unitLimits) { bytes in
      output += bytes
      return true
    }
    let lines = output.split(separator: UInt8(ascii: "\n"))
    let reports = lines.compactMap { try? decoder.decode(UnitReport.self, from: Data($0)) }
    let (problem, wasDangerous) = judge(
      child?.end(within: .zero), excess, lines.last, stage: reports.count)
    let probe = UnitProbe(
      report: reports.last, problem: problem, wasDangerous: wasDangerous, stamps: stamps)
    if let file = file(for: component), let bytes = try? encoder.encode(probe) {
      CacheFile.store(Array(bytes), at: file, kind: kind)
    }
    return probe
  }

  private static let kind = "AuUnit02"

  private static func file(for component: AudioComponent) -> String? {
    guard let folder = HostPlaces.cacheFolder, component.location.path != nil else { return nil }
    return "\(folder)/units/\(CacheFile.name(for: ComponentBlocklist.key(of: component))).bin"
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static func judge(
    _ end: WatchedProcess.End?, _ excess: ProcessLimits.Excess?, _ lastLine: ArraySlice<UInt8>?,
    stage: Int
  ) -> (String?, Bool) {
    let action = stage < 2 ? "was opened" : "ran"
    guard let end else { return ("could not be opened: no process could be started", false) }
    guard excess == nil else {
      return ("was still busy after 10 s while it \(action): it was stopped", true)
    }
    if end == .exited(0) { return (nil, false) }
    // The child's message is its last line of output, if any.
    if case .exited = end,
      let failure = lastLine.flatMap({
        try? JSONDecoder().decode(InspectFailure.self, from: Data($0))
      })
    {
      return ("cannot be used: \(failure.error)", false)
    }
    return ("\(end.report) while it \(action)", true)
  }
}

/// Why an inspection failed, from its last line.
struct InspectFailure: Codable {
  var error: String
}
