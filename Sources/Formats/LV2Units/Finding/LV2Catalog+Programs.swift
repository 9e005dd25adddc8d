// The programs that a plug-in's code reports, read in a process that may crash.
// SPDX-License-Identifier: Apache-2.0

internal import HostSystem
internal import LV2Bundles

extension LV2Catalog {
  /// Opens a plug-in in this process for its programs; nil when there is none with that URI.
  ///
  /// - Returns: Bytes for `LV2ProgramReading.apart`.
  ///
  /// Context: control, in a process that may crash: runs code of the plug-in.
  public func readCode(of uri: String) -> [UInt8]? {
    guard let plugin = try? loader(of: uri)?.load() else { return nil }
    return LV2ProgramList.encode(
      PathStamp(of: plugin.description.binaryPath), LV2ProgramTrial.programs(of: plugin))
  }
}
