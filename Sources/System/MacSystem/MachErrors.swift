// The functions of mach_error.h: texts for the results of the kernel's calls.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Glibc

/// The text of a number; it lives as long as the program.
///
/// Context: any.
@c @implementation
public func mach_error_string(_ number: mach_error_t) -> UnsafeMutablePointer<CChar>? {
  unsafe MachErrorTexts.texts[number] ?? MachErrorTexts.unknown
}

/// Writes "caller: text" on standard error.
///
/// Context: control.
@c @implementation
public func mach_error(_ caller: UnsafePointer<CChar>?, _ number: mach_error_t) {
  let name = unsafe caller.map { unsafe String(cString: $0) } ?? ""
  let text = unsafe mach_error_string(number).map { unsafe String(cString: $0) } ?? ""
  let line = Array("\(name): \(text)\n".utf8)
  _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The texts, as C strings that nobody frees.
///
/// nonisolated(unsafe): made once, and only read.
private enum MachErrorTexts {
  nonisolated(unsafe) static let unknown = unsafe strdup("unknown error code")

  nonisolated(unsafe) static let texts: [mach_error_t: UnsafeMutablePointer<CChar>?] = unsafe [
    KERN_SUCCESS: strdup("success"),
    KERN_INVALID_ADDRESS: strdup("invalid address"),
    KERN_PROTECTION_FAILURE: strdup("protection failure"),
    KERN_NO_SPACE: strdup("no space available"),
    KERN_INVALID_ARGUMENT: strdup("invalid argument"),
    KERN_FAILURE: strdup("failure"),
    KERN_RESOURCE_SHORTAGE: strdup("resource shortage"),
    KERN_NO_ACCESS: strdup("no access"),
    KERN_ABORTED: strdup("interrupted"),
    KERN_INVALID_NAME: strdup("invalid name"),
    KERN_INVALID_RIGHT: strdup("invalid right"),
    KERN_INVALID_VALUE: strdup("invalid value"),
    KERN_TERMINATED: strdup("object terminated"),
    KERN_NOT_SUPPORTED: strdup("not supported"),
    KERN_OPERATION_TIMED_OUT: strdup("timed out"),
  ]
}
