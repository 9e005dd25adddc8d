// Settings of a unit that are texts or paths, such as impulse files and models.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
internal import CAudioToolbox

/// A setting of a unit whose value is a text or a path.
public struct UnitTextProperty: Sendable, Hashable {
  /// Its URI.
  public var uri: String
  /// A short name to write.
  public var symbol: String
  /// The name shown to a person.
  public var name: String
  /// Whether the text is the path of a file or folder.
  public var isPath: Bool
  /// Whether it can be set.
  public var isWritable: Bool
}

extension AudioUnit {
  /// The settings of the unit that are texts; empty if there are none.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_TextPropertyList`.
  public var textProperties: [UnitTextProperty] {
    let keys = ["uri", "symbol", "name", "type", "access"]
    let tables = (try? tables(kAuricleProperty_TextPropertyList, keys: keys)) ?? []
    return tables.map { texts in
      UnitTextProperty(
        uri: texts["uri"] ?? "", symbol: texts["symbol"] ?? "", name: texts["name"] ?? "",
        isPath: texts["type"] == "path", isWritable: texts["access"] == "write")
    }
  }

  /// A property that is an array of dictionaries of texts; a key that is missing has no entry.
  ///
  /// Context: control.
  func tables(
    _ id: AudioUnitPropertyID, keys: [String]
  ) throws(AuricleError) -> [[String: String]] {
    guard let array = unsafe try property(id, initial: nil as CFArrayRef?) else { return [] }
    defer { unsafe CFRelease(UnsafeRawPointer(array)) }
    return unsafe (0..<max(0, CFArrayGetCount(array))).compactMap { index in
      guard let entry = unsafe CFArrayGetValueAtIndex(array, index) else { return nil }
      let dictionary = CFDictionaryRef(entry)
      var texts: [String: String] = [:]
      for key in keys {
        texts[key] = unsafe withCFString(key) { name in
          let value = unsafe name.flatMap {
            unsafe CFDictionaryGetValue(dictionary, UnsafeRawPointer($0))
          }
          return unsafe String(cfString: value.map { CFStringRef($0) })
        }
      }
      return texts
    }
  }

  /// Sets one of `textProperties`, named by its URI or symbol.
  ///
  /// - Throws: `.badData`, or `.unavailable` for what is not installed, with the unit's reason where it tells one.
  ///
  /// Context: control. The corresponding property is `kAuricleProperty_TextProperties`.
  public func setText(_ name: String, _ text: String) throws(AuricleError) {
    var dictionary: CFMutableDictionaryRef?
    unsafe withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      unsafe withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) {
        unsafe dictionary = CFDictionaryCreateMutable(nil, 1, keys, $0)
      }
    }
    guard let made = unsafe dictionary else { throw failure(.memoryFull, "no memory") }
    defer { unsafe CFRelease(UnsafeRawPointer(made)) }
    unsafe withCFString(name) { name in
      unsafe withCFString(text) { text in
        if let name = unsafe name, let text = unsafe text {
          unsafe CFDictionarySetValue(made, UnsafeRawPointer(name), UnsafeRawPointer(text))
        }
      }
    }
    do throws(AuricleError) {
      unsafe try setProperty(
        kAuricleProperty_TextProperties,
        CFDictionaryRef?(CFDictionaryRef(UnsafeRawPointer(made))))
    } catch {
      // A unit that says why: no such file, a file of another kind.
      guard let reason = failureReason else { throw error }
      let isLacking = error.status == OSStatus(kAudioUnitErr_FailedInitialization)
      throw AuricleError(
        isLacking ? .unavailable : .badData, status: error.status, "\(self.name): \(reason)")
    }
  }
}
