// The bad presets of automation: one defect each.
// SPDX-License-Identifier: Apache-2.0

private let head = "auricle: 1\nname: x\n"

/// One defect each, with the exact text of the report.
let badAutomationPresets: [BadPreset] = [
  BadPreset(
    "automation is a list",
    head + "units: [{unit: u, automation: [a]}]\n",
    """
    p.yaml:3:31: error: 'automation' must be a mapping such as {gain: [[0 s, 0 dB], [2 s, -6 \
    dB]]}, not a list
    units: [{unit: u, automation: [a]}]
                                  ^
    """),
  BadPreset(
    "automation of one value",
    head + "units: [{unit: u, automation: {gain: 3 dB}}]\n",
    """
    p.yaml:3:38: error: 'gain' takes a list of breakpoints such as [[0 s, 0 dB], [2 s, -6 dB]], \
    not text
    units: [{unit: u, automation: {gain: 3 dB}}]
                                         ^
    """),
  BadPreset(
    "automation without breakpoints",
    head + "units: [{unit: u, automation: {gain: []}}]\n",
    """
    p.yaml:3:38: error: 'gain' has no breakpoints
    units: [{unit: u, automation: {gain: []}}]
                                         ^
    """),
  BadPreset(
    "breakpoint is a number",
    head + "units: [{unit: u, automation: {gain: [3]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint is [TIME, VALUE], [TIME, VALUE, CURVE] or {at: TIME, value: \
    VALUE}, not a number
    units: [{unit: u, automation: {gain: [3]}}]
                                          ^
    """),
  BadPreset(
    "breakpoint of one value",
    head + "units: [{unit: u, automation: {gain: [[3 s]]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint is [TIME, VALUE], [TIME, VALUE, CURVE] or {at: TIME, value: \
    VALUE}, not 1 value
    units: [{unit: u, automation: {gain: [[3 s]]}}]
                                          ^
    """),
  BadPreset(
    "breakpoint without a value",
    head + "units: [{unit: u, automation: {gain: [{at: 3 s}]}}]\n",
    """
    p.yaml:3:39: error: a breakpoint has the keys 'at' and 'value'
    units: [{unit: u, automation: {gain: [{at: 3 s}]}}]
                                          ^
    """),
  BadPreset(
    "unknown key of a breakpoint",
    head + "units: [{unit: u, automation: {gain: [{at: 3 s, value: 1, curv: step}]}}]\n",
    """
    p.yaml:3:59: error: unknown key 'curv' in a breakpoint; did you mean 'curve'?
    units: [{unit: u, automation: {gain: [{at: 3 s, value: 1, curv: step}]}}]
                                                              ^
    """),
  BadPreset(
    "time in Hz",
    head + "units: [{unit: u, automation: {gain: [[3 Hz, 1]]}}]\n",
    """
    p.yaml:3:40: error: a time is a number of seconds, or written such as 2.5 s, 300 ms, 1:30, \
    480 frames or 25 %, not '3 Hz'
    units: [{unit: u, automation: {gain: [[3 Hz, 1]]}}]
                                           ^
    """),
  BadPreset(
    "time before the start",
    head + "units: [{unit: u, automation: {gain: [[-1 s, 1]]}}]\n",
    """
    p.yaml:3:40: error: a time counts from the start of the file; -1 s is outside
    units: [{unit: u, automation: {gain: [[-1 s, 1]]}}]
                                           ^
    """),
  BadPreset(
    "breakpoints out of order",
    head + "units: [{unit: u, automation: {gain: [[1 s, 1], [500 ms, 2]]}}]\n",
    """
    p.yaml:3:50: error: breakpoints are in the order of time, and 0.5 s comes after 1 s
    units: [{unit: u, automation: {gain: [[1 s, 1], [500 ms, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "two breakpoints at one time",
    head + "units: [{unit: u, automation: {gain: [[1 s, 1], [1000 ms, 2]]}}]\n",
    """
    p.yaml:3:50: error: two breakpoints at 1 s: a jump is one breakpoint with the curve 'step'
    units: [{unit: u, automation: {gain: [[1 s, 1], [1000 ms, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "seconds and frames",
    head + "units: [{unit: u, automation: {gain: [[0 s, 1], [480 frames, 2]]}}]\n",
    """
    p.yaml:3:50: error: the times of one parameter are all in seconds, all in frames or all in \
    percent
    units: [{unit: u, automation: {gain: [[0 s, 1], [480 frames, 2]]}}]
                                                     ^
    """),
  BadPreset(
    "breakpoint behind the end",
    head + "units: [{unit: u, automation: {gain: [[101 %, 1]]}}]\n",
    """
    p.yaml:3:40: error: 100 % is the end of the file; '101 %' is after it
    units: [{unit: u, automation: {gain: [[101 %, 1]]}}]
                                           ^
    """),
  BadPreset(
    "unknown curve",
    head + "units: [{unit: u, automation: {gain: [[0 s, 1], [1 s, 2, exponental]]}}]\n",
    """
    p.yaml:3:58: error: a curve is linear, exponential or step, not 'exponental'; did you mean \
    'exponential'?
    units: [{unit: u, automation: {gain: [[0 s, 1], [1 s, 2, exponental]]}}]
                                                             ^
    """),
]
