// Bridges between Swift strings and CF strings, without Foundation.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension String {
  /// Copies a CF string; nil for a null pointer.
  ///
  /// The caller keeps its reference: nothing is retained or released.
  public init?(cfString: CFStringRef?) {
    guard let string = unsafe cfString else { return nil }
    let length = unsafe CFStringGetLength(string)
    let range = CFRange(location: 0, length: length)
    var byteCount: CFIndex = 0
    unsafe CFStringGetBytes(
      string, range, kCFStringEncodingUTF8, UInt8(ascii: "?"), false, nil, 0,
      &byteCount)
    self = unsafe String(unsafeUninitializedCapacity: byteCount) { buffer in
      var used: CFIndex = 0
      unsafe CFStringGetBytes(
        string, range, kCFStringEncodingUTF8, UInt8(ascii: "?"), false,
        buffer.baseAddress, byteCount, &used)
      return used
    }
  }

  /// Copies a CF string and releases it: for properties whose value the caller owns (+1).
  public init?(consumingCFString cfString: CFStringRef?) {
    guard let string = unsafe cfString else { return nil }
    unsafe self.init(cfString: string)
    unsafe CFRelease(UnsafeRawPointer(string))
  }
}

/// Makes a CF string; the caller releases it with `CFRelease`.
///
/// - Returns: nil only if memory is exhausted.
public func makeCFString(_ text: String) -> CFStringRef? {
  var text = text
  return text.withUTF8 { bytes in
    unsafe CFStringCreateWithBytes(
      nil, bytes.baseAddress, bytes.count, kCFStringEncodingUTF8, false)
  }
}

/// Runs `body` with a CF string that lives until it returns.
public func withCFString<Result, Failure: Error>(
  _ text: String, _ body: (CFStringRef?) throws(Failure) -> Result
) throws(Failure) -> Result {
  let string = unsafe makeCFString(text)
  defer { if let string = unsafe string { unsafe CFRelease(UnsafeRawPointer(string)) } }
  return try unsafe body(string)
}
