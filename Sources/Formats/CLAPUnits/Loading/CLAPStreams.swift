// States as streams of bytes.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import HostSystem

/// The purpose for which a state is saved or loaded: kCLAPStateContext_….
enum CLAPStateContext: UInt32 {
  /// For a preset, which may be loaded into any instance.
  case preset = 1
  /// For an instance beside this one.
  case duplicate = 2
  /// For a document that holds this instance.
  case project = 3
}

/// The bytes behind a stream. A reference, because a plug-in's callbacks move through them.
private final class CLAPBytes {
  /// A state of more bytes is refused.
  static let most = 1 << 28
  var bytes: [UInt8]
  var offset = 0
  /// The most bytes that are moved at once.
  let pieceSize: Int

  init(_ bytes: [UInt8], pieceSize: Int?) {
    self.bytes = bytes
    self.pieceSize = pieceSize ?? Int.max
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> CLAPBytes? {
    unsafe context.map { unsafe Unmanaged<CLAPBytes>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension CLAPObject {
  /// The plug-in's state; nil when it has none, or could not save it.
  ///
  /// - Parameter pieceSize: The most bytes that the stream receives at once; nil for all.
  ///
  /// Context: the main thread of plug-ins.
  func saveState(_ purpose: CLAPStateContext, pieceSize: Int? = nil) -> [UInt8]? {
    let table = unsafe table("clap.state", AuricleCLAPState.self)
    let special = unsafe contextTable
    guard unsafe table?.pointee.save != nil || special?.pointee.save != nil else { return nil }
    let store = CLAPBytes([], pieceSize: pieceSize)
    var stream = unsafe AuricleCLAPWriteStream(
      context: Unmanaged.passUnretained(store).toOpaque(),
      write: { stream, source, count in
        guard let store = unsafe CLAPBytes.of(stream?.pointee.context), let source = unsafe source,
          count <= UInt64(CLAPBytes.most - store.bytes.count)
        else { return -1 }
        let length = min(Int(count), store.pieceSize)
        unsafe store.bytes.append(
          contentsOf: UnsafeRawBufferPointer(start: source, count: length))
        return Int64(length)
      })
    let isSaved =
      if let save = unsafe special?.pointee.save {
        unsafe save(plugin, &stream, purpose.rawValue)
      } else { unsafe table?.pointee.save?(plugin, &stream) ?? false }
    extendLifetime(store)
    return isSaved ? store.bytes : nil
  }

  /// Restores a state; false when the plug-in refused it.
  ///
  /// - Parameter pieceSize: The most bytes that the stream returns at once; nil for all.
  ///
  /// Context: the main thread of plug-ins.
  func restoreState(
    _ bytes: [UInt8], _ purpose: CLAPStateContext, pieceSize: Int? = nil
  ) -> Bool {
    let table = unsafe table("clap.state", AuricleCLAPState.self)
    let special = unsafe contextTable
    guard unsafe table?.pointee.load != nil || special?.pointee.load != nil else { return false }
    let store = CLAPBytes(bytes, pieceSize: pieceSize)
    var stream = unsafe AuricleCLAPReadStream(
      context: Unmanaged.passUnretained(store).toOpaque(),
      read: { stream, target, count in
        guard let store = unsafe CLAPBytes.of(stream?.pointee.context), let target = unsafe target
        else { return -1 }
        let length = min(
          Int(clamping: count), store.bytes.count - store.offset, store.pieceSize)
        guard length > 0 else { return 0 }
        unsafe store.bytes.withUnsafeBytes {
          guard let start = $0.baseAddress else { return }
          unsafe target.copyMemory(from: start + store.offset, byteCount: length)
        }
        store.offset += length
        return Int64(length)
      })
    let isRestored =
      if let load = unsafe special?.pointee.load {
        unsafe load(plugin, &stream, purpose.rawValue)
      } else { unsafe table?.pointee.load?(plugin, &stream) ?? false }
    extendLifetime(store)
    return isRestored
  }

  /// The table of states with a purpose.
  private var contextTable: UnsafePointer<AuricleCLAPStateContext>? {
    unsafe table("clap.state-context/2", AuricleCLAPStateContext.self)
  }

  /// Loads a preset that the file's provider found; the reason when the plug-in refused it.
  ///
  /// Context: the main thread of plug-ins.
  func load(_ preset: CLAPPreset) -> String? {
    guard
      let table = unsafe table(
        "clap.preset-load/2", draft: "clap.preset-load.draft/2", AuricleCLAPPresetLoading.self),
      let load = unsafe table.pointee.load
    else { return "it cannot load presets" }
    let isLoaded = unsafe preset.location.withFileName { location in
      let place = preset.kind == UInt32(kCLAPLocation_File) ? unsafe location : nil
      guard let key = preset.key else { return unsafe load(plugin, preset.kind, place, nil) }
      return unsafe load(plugin, preset.kind, place, key)
    }
    let failure = loop.collectPresetFailure()
    loop.pump()
    return isLoaded ? nil : failure.flatMap { $0.isEmpty ? nil : $0 } ?? "it gives no reason"
  }

  /// The cookies of parameters, by which a plug-in finds them faster.
  ///
  /// Context: the main thread of plug-ins.
  func cookies(of parameters: [CLAPParameter]) -> [UInt32: UInt] {
    guard let table = unsafe table("clap.params", AuricleCLAPParameters.self),
      let count = unsafe table.pointee.count, let get = unsafe table.pointee.get_info
    else { return [:] }
    var cookies: [UInt32: UInt] = [:]
    for index in 0..<(unsafe min(count(plugin), UInt32(clamping: 2 * parameters.count))) {
      var info = unsafe AuricleCLAPParameter()
      guard unsafe get(plugin, index, &info), let cookie = unsafe info.cookie else { continue }
      unsafe cookies[info.id] = UInt(bitPattern: cookie)
    }
    return cookies
  }

  /// The text of a value; nil when the plug-in has none.
  ///
  /// Context: the main thread of plug-ins.
  func text(of value: Double, parameter: UInt32) -> String? {
    guard let table = unsafe table("clap.params", AuricleCLAPParameters.self),
      let write = unsafe table.pointee.value_to_text
    else { return nil }
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe write(plugin, parameter, value, &bytes, 255) else { return nil }
    return unsafe PlugInText.line(PlugInText.of(bytes))
  }

  /// The value of a text; nil when the plug-in cannot read it.
  ///
  /// Context: the main thread of plug-ins.
  func value(of text: String, parameter: UInt32) -> Double? {
    guard let table = unsafe table("clap.params", AuricleCLAPParameters.self),
      let read = unsafe table.pointee.text_to_value
    else { return nil }
    var value = 0.0
    guard unsafe read(plugin, parameter, text, &value), value.isFinite else { return nil }
    return value
  }

  /// The values of parameters by their identifiers.
  ///
  /// Context: the main thread of plug-ins.
  func values(of parameters: [CLAPParameter]) -> [UInt32: Double] {
    guard let table = unsafe table("clap.params", AuricleCLAPParameters.self),
      let get = unsafe table.pointee.get_value
    else { return [:] }
    var values: [UInt32: Double] = [:]
    for parameter in parameters {
      var value = 0.0
      if unsafe get(plugin, parameter.id, &value), value.isFinite { values[parameter.id] = value }
    }
    return values
  }
}
