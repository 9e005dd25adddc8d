// Properties that are files, and lists that a host reads.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox

extension CustomProperty where Unit: AuricleUnit, Unit: ~Copyable {
  /// Makes a property that is a file, `CFURLRef`; without `set` it is read-only.
  ///
  /// ```swift
  /// .file(
  ///   kMusicDeviceProperty_SoundBankURL, get: { $0.state.path },
  ///   set: { (access, path) throws(UnitRefusal) in
  ///     var state = access.state
  ///     state.path = path
  ///     try access.setState(state)
  ///   })
  /// ```
  ///
  /// - Parameters:
  ///   - id: One of Core Audio's that the unit has, or from 64100 on.
  ///   - get: Its path; nil for a null reference.
  ///   - set: Receives the path of a host's URL; throws to refuse it.
  ///
  /// Context of the closures: control.
  public static func file(
    _ id: UInt32, get: @escaping @Sendable (UnitAccess<Unit>) -> String?,
    set: (@Sendable (UnitAccess<Unit>, String) throws(UnitRefusal) -> Void)? = nil
  ) -> CustomProperty {
    unsafe reference(
      id,
      store: { access, data in
        unsafe data.storeBytes(
          of: get(access).flatMap { unsafe makeFileURL($0) }, as: CFURLRef?.self)
      },
      load: { data in
        unsafe data.loadUnaligned(as: CFURLRef?.self).flatMap { unsafe filePath(of: $0) }
      }, set: set)
  }

  /// Makes a property whose value is a pointer to a Core Foundation object that represents a text.
  ///
  /// - Parameters:
  ///   - id: The property.
  ///   - store: Writes a pointer that the host is to release.
  ///   - load: Returns the text of a host's pointer; nil for other objects.
  ///   - set: Receives a host's text; throws to refuse it.
  static func reference(
    _ id: UInt32, store: @escaping @Sendable (UnitAccess<Unit>, UnsafeMutableRawPointer) -> Void,
    load: @escaping @Sendable (UnsafeRawPointer) -> String?,
    set: (@Sendable (UnitAccess<Unit>, String) throws(UnitRefusal) -> Void)?
  ) -> CustomProperty {
    CustomProperty { context in
      let size = unsafe MemoryLayout<UnsafeRawPointer?>.size
      var write: PropertyWrite?
      if let set {
        unsafe write = { unit, _, data, supplied in
          guard let data = unsafe data, Int(supplied) == size, let text = unsafe load(data) else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          return context.attempt(on: unit) { (access) throws(UnitRefusal) in try set(access, text) }
        }
      }
      return unsafe PropertyDefinition(
        id: id, size: UInt32(size),
        read: { unit, _, data in
          unsafe store(UnitAccess(unit, context), data)
          return 0
        }, write: write)
    }
  }

  /// Makes a property of so many bytes that a host sets and nobody reads.
  ///
  /// For structures of C, such as an `FSRef`; another size is refused with `kAudioUnitErr_InvalidPropertyValue`.
  ///
  /// - Parameters:
  ///   - id: One of Core Audio's that the unit has, or from 64100 on.
  ///   - size: Bytes of the value.
  ///   - set: Receives a host's value; throws to refuse it.
  public static func written(
    _ id: UInt32, size: Int,
    set: @escaping @Sendable (UnitAccess<Unit>, [UInt8]) throws(UnitRefusal) -> Void
  ) -> CustomProperty {
    CustomProperty { context in
      unsafe PropertyDefinition(
        id: id, size: UInt32(size), read: { _, _, _ in kAudioUnitErr_InvalidProperty },
        write: { unit, _, data, supplied in
          guard let data = unsafe data, Int(supplied) == size else {
            return kAudioUnitErr_InvalidPropertyValue
          }
          let bytes = unsafe Array(UnsafeRawBufferPointer(start: data, count: size))
          return context.attempt(on: unit) { (access) throws(UnitRefusal) in
            try set(access, bytes)
          }
        })
    }
  }

  /// Makes a property of a list of numbers, UInt32, that a host reads by its element, which is any number.
  ///
  /// ```swift
  /// .numbers(kMusicDeviceProperty_InstrumentNumber) { access, index in
  ///   Int(index) < access.state.programs.count ? access.state.programs[Int(index)] : nil
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The property.
  ///   - get: The number of an element; nil where there is none (`kAudioUnitErr_InvalidElement`).
  public static func numbers(
    _ id: UInt32, get: @escaping @Sendable (UnitAccess<Unit>, UInt32) -> UInt32?
  ) -> CustomProperty {
    CustomProperty { context in
      var property = unsafe PropertyDefinition(
        id: id, size: 4,
        read: { unit, element, data in
          guard let value = get(UnitAccess(unit, context), element) else {
            return kAudioUnitErr_InvalidElement
          }
          unsafe data.storeBytes(of: value, as: UInt32.self)
          return 0
        })
      property.elementIsNumber = true
      return property
    }
  }

  /// Makes a property of a list of texts, `CFStringRef`, that a host reads by its element, which is any number.
  ///
  /// ```swift
  /// .texts(kMusicDeviceProperty_InstrumentName) { access, number in
  ///   number < 128 ? "Program \(number + 1)" : nil
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The property.
  ///   - get: The text of an element; nil where there is none.
  public static func texts(
    _ id: UInt32, get: @escaping @Sendable (UnitAccess<Unit>, UInt32) -> String?
  ) -> CustomProperty {
    CustomProperty { context in
      var property = unsafe PropertyDefinition(
        id: id, size: UInt32(MemoryLayout<CFStringRef?>.size),
        read: { unit, element, data in
          guard let text = get(UnitAccess(unit, context), element) else {
            return kAudioUnitErr_InvalidElement
          }
          unsafe data.storeBytes(of: makeCFString(text), as: CFStringRef?.self)
          return 0
        })
      property.elementIsNumber = true
      return property
    }
  }

  /// Makes a property of a list of tables of texts that a host reads, `CFArrayRef` of `CFDictionaryRef`.
  ///
  /// - Parameters:
  ///   - id: The property.
  ///   - get: The tables; throws where there are none now.
  public static func tables(
    _ id: UInt32,
    get: @escaping @Sendable (UnitAccess<Unit>) throws(UnitRefusal) -> [[String: String]]
  ) -> CustomProperty {
    CustomProperty { context in
      unsafe PropertyDefinition(
        id: id, size: UInt32(MemoryLayout<CFArrayRef?>.size),
        read: { unit, _, data in
          context.attempt(on: unit) { (access) throws(UnitRefusal) in
            let entries = unsafe try get(access).map { texts in
              unsafe UnsafeRawPointer(
                makeCFDictionary(
                  takingOver: texts.mapValues { unsafe UnsafeRawPointer(makeCFString($0)) }))
            }
            unsafe data.storeBytes(of: makeCFArray(takingOver: entries), as: CFArrayRef?.self)
          }
        })
    }
  }
}

/// Returns the path of a URL of a file; nil for another URL. Context: control.
public func filePath(of url: CFURLRef) -> String? {
  var path = [UInt8](repeating: 0, count: 4097)
  guard unsafe CFURLGetFileSystemRepresentation(url, true, &path, CFIndex(path.count - 1)) else {
    return nil
  }
  return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
}

/// Returns the URL of a file, +1; nil where there is no memory. Context: control.
public func makeFileURL(_ path: String) -> CFURLRef? {
  var path = path
  return path.withUTF8 {
    unsafe CFURLCreateFromFileSystemRepresentation(nil, $0.baseAddress, CFIndex($0.count), false)
  }
}
