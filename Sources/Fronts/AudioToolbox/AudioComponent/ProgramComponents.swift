// The functions about components of programs: icons, the time of the last use.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import PublishedUnits

/// Returns when a unit of a program was last in use, in seconds since 2001; 0 for never, and for other components.
///
/// Context: control.
@c @implementation
public func AudioComponentGetLastActiveTime(_ component: AudioComponentHandle?) -> CFAbsoluteTime {
  guard let record = unsafe Toolbox.componentRecord(component),
    let seconds = ProgramRegistry.lastUse(of: unsafe record.pointee.description)
  else { return 0 }
  return seconds - secondsFrom1970To2001
}

private let secondsFrom1970To2001 = 978_307_200.0

/// Returns the bytes of the largest icon of a unit of a program, a PNG file, which the caller releases; null without one.
///
/// Context: control.
@c
public func AudioComponentCopyIcon(_ component: AudioComponentHandle?) -> CFDataRef? {
  guard let entry = unsafe programEntry(component) else { return nil }
  return unsafe ProgramIcon.largest(of: entry.icons).flatMap { unsafe ProgramIcon.data(of: $0) }
}

/// Returns the bytes of the icon whose width is nearest to a number of pixels from above, a PNG file; null without one.
///
/// They belong to the library, and stay as long as the process.
///
/// Context: control.
@c
public func AudioComponentGetIcon(
  _ component: AudioComponentHandle?, _ pointSize: Float
) -> CFDataRef? {
  guard let entry = unsafe programEntry(component),
    let path = ProgramIcon.path(of: entry.icons, width: pointSize)
  else { return nil }
  return unsafe ProgramIcon.keptData(of: path)
}

private func programEntry(_ component: AudioComponentHandle?) -> ProgramEntry? {
  guard let record = unsafe Toolbox.componentRecord(component) else { return nil }
  let (running, installed) = ProgramRegistry.find(unsafe record.pointee.description)
  return installed ?? running
}
