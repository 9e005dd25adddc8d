// The functions of CAShow.h: print objects of this library or of CoreFoundation.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
public import CAudioToolbox
import CHostSystem
import Glibc
import MacSystem

/// Prints an object of this library or of CoreFoundation to standard output; other memory by its address.
///
/// Context: control.
@c @implementation
public func CAShow(_ object: UnsafeMutableRawPointer?) {
  unsafe CAShowFile(object, AuricleStandardOutput())
}

/// Prints an object of this library or of CoreFoundation to a file; other memory by its address.
///
/// Context: control.
@c @implementation
public func CAShowFile(_ object: UnsafeMutableRawPointer?, _ file: UnsafeMutablePointer<FILE>?) {
  guard let file = unsafe file else { return }
  unsafe fputs(Shown.text(object), file)
  unsafe fflush(file)
}

/// Describes objects behind untyped pointers.
private enum Shown {
  static func text(_ object: UnsafeMutableRawPointer?) -> String {
    guard let object = unsafe object else { return "NULL\n" }
    let address = UInt(bitPattern: object)
    if let graph = Graphs.graph(address) { return graph.description(address: address) }
    // All other objects begin at an even address.
    guard address % 8 == 0, ShownObjects.isMapped(address, byteCount: 64) else {
      return unsafe "\(object): no object\n"
    }
    if let text = ShownObjects.text(address) { return text + "\n" }
    if let text = unsafe own(object) { return unsafe "\(text) \(object)\n" }
    if let unit = unsafe Instance(
      object.assumingMemoryBound(to: ComponentInstanceRecord.self))
    {
      return unsafe self.unit(unit, object)
    }
    if let record = unsafe Toolbox.componentRecord(
      object.assumingMemoryBound(to: OpaqueAudioComponent.self))
    {
      return unsafe "AudioComponent \(object): " + component(record) + "\n"
    }
    guard ShownObjects.isFoundation(address) else {
      return unsafe "\(object): no object that can be shown\n"
    }
    return unsafe String(consumingCFString: CFCopyDescription(CFTypeRef(object))).map { $0 + "\n" }
      ?? "\(object)\n"
  }

  /// The kind of an object of this library that is neither a graph, a unit nor a component.
  private static func own(_ object: UnsafeMutableRawPointer) -> String? {
    let address = UInt(bitPattern: object)
    if unsafe Converters.converter(AudioConverterRef(bitPattern: address)) != nil {
      return "AudioConverter"
    }
    if unsafe ExtendedFiles.file(ExtAudioFileRef(bitPattern: address)) != nil {
      return "ExtAudioFile"
    }
    if OpenedStream.isOpen(address) { return "AudioFileStream" }
    return OpenedFile.isOpen(address) ? "AudioFile" : nil
  }

  private static func component(_ record: UnsafeMutablePointer<OpaqueAudioComponent>) -> String {
    let name = unsafe record.pointee.name.map { unsafe String(cString: $0) } ?? ""
    let description = unsafe record.pointee.description
    let codes = [description.type, description.subtype, description.manufacturer]
      .map(\.quoted).joined(separator: " ")
    let version = unsafe record.pointee.version
    return
      "\(codes), version \(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF), \"\(name)\""
  }

  /// A unit with the formats of its buses.
  private static func unit(_ unit: Instance, _ object: UnsafeMutableRawPointer) -> String {
    let number = unsafe Toolbox.number(
      of: object.assumingMemoryBound(to: ComponentInstanceRecord.self))
    let name = unsafe unit.component.flatMap { unsafe $0.pointee.name }
      .map { unsafe " \"\(String(cString: $0))\"" }
    var lines = [
      unsafe "AudioUnit\(number.map { " \($0)" } ?? "")\(name ?? "") \(object):"
    ]
    if let record = unsafe unit.component { unsafe lines.append("  " + component(record)) }
    for (scope, name) in [(kAudioUnitScope_Input, "input"), (kAudioUnitScope_Output, "output")] {
      var count: UInt32 = 0
      let size = UInt32(MemoryLayout<UInt32>.size)
      unsafe get(unit, kAudioUnitProperty_ElementCount, scope, 0, &count, size)
      for element in 0..<min(count, 64) {
        var format = AudioStreamBasicDescription()
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        if unsafe get(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, size) {
          lines.append("  \(name) \(element): [\(AudioStreamFormat(format).columnDescription)]")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @discardableResult
  private static func get(
    _ unit: Instance, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope,
    _ element: AudioUnitElement, _ data: UnsafeMutableRawPointer, _ size: UInt32
  ) -> Bool {
    guard let method = unsafe unit.methods.getProperty else { return false }
    var size = size
    return unsafe method(unit.plugIn, property, scope, element, data, &size) == noErr
  }
}
