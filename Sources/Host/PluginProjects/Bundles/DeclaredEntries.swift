// A binary's own declarations of its units: units on AuricleSDK know their entries of AudioComponents.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import PlugInGuard
package import PropertyLists

/// The entries of AudioComponents that the units of a binary have in themselves.
package enum DeclaredEntries {
  /// Loads a binary into this process and asks each of its factory functions.
  ///
  /// - Returns: A property list as XML: AudioComponents with all readable entries, CFBundleShortVersionString.
  /// - Throws: `.unavailable` when the binary cannot be loaded.
  ///
  /// Context: control, in a process that may be lost.
  package static func read(from binary: String) throws(AuricleError) -> String {
    let names = ExportedSymbols.names(in: try TextFile.bytes(of: binary, limit: 1 << 30)) ?? []
    let path = binary.contains("/") ? binary : "./" + binary
    let library: UnsafeMutableRawPointer
    do throws(ForeignLibrary.Refusal) {
      unsafe library = try ForeignLibrary.open(path)
    } catch {
      throw AuricleError(.unavailable, "\(binary) cannot be loaded: \(error.reason)")
    }
    var entries: [PropertyListValue] = []
    var result: [String: PropertyListValue] = [:]
    for name in names.sorted() where name.hasSuffix("Factory") && !name.hasPrefix("$") {
      guard let address = unsafe dlsym(library, name) else { continue }
      let factory = unsafe unsafeBitCast(address, to: AudioComponentFactoryFunction.self)
      guard var entry = unsafe entry(of: factory) else { continue }
      entry["factoryFunction"] = .string(name)
      if let version = entry.removeValue(forKey: "CFBundleShortVersionString") {
        result["CFBundleShortVersionString"] = version
      }
      entries.append(.dictionary(entry))
    }
    result["AudioComponents"] = .array(entries)
    do throws(PropertyListError) {
      return try PropertyListWriter.xml(.dictionary(result))
    } catch {
      throw AuricleError(
        .badData, "\(binary) declares a component that Info.plist cannot express: \(error)")
    }
  }

  /// Asks a program that calls `read` for the entries of a binary.
  ///
  /// - Throws: `.unavailable` when the program failed or hung, or when the units declare nothing.
  ///
  /// Context: control.
  package static func ask(
    _ program: String, about binary: String
  ) throws(AuricleError) -> [String: PropertyListValue] {
    let child = ChildProcess.run(
      program, ["plugin", "read-entries", binary], timeLimit: .seconds(30), endsGroup: true)
    let list = try? PropertyListReader().read(child.output)
    guard child.end == .exited(0), let entries = list?.dictionaryValue else {
      throw AuricleError(
        .unavailable,
        "the units of \(binary) cannot be listed, because it cannot be loaded or crashed: "
          + "name an Info.plist with --plist")
    }
    guard entries["AudioComponents"]?.arrayValue?.isEmpty == false else {
      throw AuricleError(
        .badData,
        "\(binary) does not declare its units by itself, as units on AuricleSDK do: name an "
          + "Info.plist with --plist")
    }
    return entries
  }

  /// The entry that an instance reports; nil when it reports none.
  private static func entry(
    of factory: AudioComponentFactoryFunction
  ) -> [String: PropertyListValue]? {
    guard let plugIn = unsafe factory(nil) else { return nil }
    var record = unsafe ComponentInstanceRecord()
    unsafe record.magic = UInt32(kAuricleInstanceMagic)
    unsafe record.recordSize = UInt32(MemoryLayout<ComponentInstanceRecord>.size)
    unsafe record.plugIn = plugIn
    return unsafe withUnsafeMutablePointer(to: &record) { handle in
      guard unsafe plugIn.pointee.Open?(plugIn, handle) == 0 else { return nil }
      defer { _ = unsafe plugIn.pointee.Close?(plugIn) }
      guard let method = unsafe plugIn.pointee.Lookup?(Int16(kAudioUnitGetPropertySelect)) else {
        return nil
      }
      let get = unsafe unsafeBitCast(method, to: AudioUnitGetPropertyProc.self)
      var value: CFDictionaryRef?
      var size = unsafe UInt32(MemoryLayout<CFDictionaryRef?>.size)
      guard unsafe get(plugIn, kAuricleProperty_ComponentEntry, 0, 0, &value, &size) == 0,
        let value = unsafe value
      else { return nil }
      defer { unsafe CFRelease(UnsafeRawPointer(value)) }
      return unsafe plain(value)
    }
  }

  /// A dictionary of Core Foundation as a value.
  private static func plain(_ dictionary: CFDictionaryRef) -> [String: PropertyListValue]? {
    let form = CFPropertyListFormat(kCFPropertyListXMLFormat_v1_0)
    guard
      let data = unsafe CFPropertyListCreateData(nil, UnsafeRawPointer(dictionary), form, 0, nil)
    else { return nil }
    defer { unsafe CFRelease(UnsafeRawPointer(data)) }
    let bytes = unsafe UnsafeBufferPointer(
      start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
    return (try? PropertyListReader().read(unsafe Array(bytes)))?.dictionaryValue
  }
}
