// The numbers of loudspeakers in channel maps are those of the file library.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import CSndFile
import Testing

@Suite struct LoudspeakerNumberTests {
  @Test func areThoseOfTheLibrary() {
    let numbers = [
      (ChannelOrder.unknown, SF_CHANNEL_MAP_INVALID), (ChannelOrder.mono, SF_CHANNEL_MAP_MONO),
      (ChannelOrder.left, SF_CHANNEL_MAP_LEFT), (ChannelOrder.right, SF_CHANNEL_MAP_RIGHT),
      (ChannelOrder.center, SF_CHANNEL_MAP_CENTER), (ChannelOrder.low, SF_CHANNEL_MAP_LFE),
      (ChannelOrder.frontLeft, SF_CHANNEL_MAP_FRONT_LEFT),
      (ChannelOrder.frontRight, SF_CHANNEL_MAP_FRONT_RIGHT),
      (ChannelOrder.frontCenter, SF_CHANNEL_MAP_FRONT_CENTER),
      (ChannelOrder.rear, SF_CHANNEL_MAP_REAR_CENTER),
      (ChannelOrder.rearLeft, SF_CHANNEL_MAP_REAR_LEFT),
      (ChannelOrder.rearRight, SF_CHANNEL_MAP_REAR_RIGHT),
      (ChannelOrder.leftOfCenter, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER),
      (ChannelOrder.rightOfCenter, SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER),
      (ChannelOrder.sideLeft, SF_CHANNEL_MAP_SIDE_LEFT),
      (ChannelOrder.sideRight, SF_CHANNEL_MAP_SIDE_RIGHT),
      (ChannelOrder.top, SF_CHANNEL_MAP_TOP_CENTER),
      (ChannelOrder.topFrontLeft, SF_CHANNEL_MAP_TOP_FRONT_LEFT),
      (ChannelOrder.topFrontRight, SF_CHANNEL_MAP_TOP_FRONT_RIGHT),
      (ChannelOrder.topFrontCenter, SF_CHANNEL_MAP_TOP_FRONT_CENTER),
      (ChannelOrder.topRearLeft, SF_CHANNEL_MAP_TOP_REAR_LEFT),
      (ChannelOrder.topRearRight, SF_CHANNEL_MAP_TOP_REAR_RIGHT),
      (ChannelOrder.topRearCenter, SF_CHANNEL_MAP_TOP_REAR_CENTER),
    ]
    for (ours, theirs) in numbers { #expect(Int(ours) == Int(theirs)) }
  }

  @Test(
    arguments: [
      (UInt64(0x3F), 6, [2, 3, 4, 11, 9, 10]), (0x60F, 6, [2, 3, 4, 11, 14, 15]),
      (0x33, 4, [2, 3, 9, 10]),
      (0x3, 2, []), (0x3F, 5, []), (0x4000_0003, 3, []),
    ] as [(UInt64, Int, [Int32])])
  func masks(mask: UInt64, count: Int, map: [Int32]) {
    #expect(ChannelOrder.map(mask: mask, channelCount: count) == map)
    if !map.isEmpty { #expect(ChannelOrder.mask(of: map) == mask) }
  }
}
