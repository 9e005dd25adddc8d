// The values of properties as bytes: numbers as they are, objects and names written out.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_PROPERTY_VALUES_H
#define AURICLE_PROPERTY_VALUES_H

#include <AudioToolbox/AudioUnit.h>
#include <AudioToolbox/AudioUnitProperties.h>

#include "IsolatedPlugIn.h"

/// The forms of values.
typedef enum {
  shapeRaw,
  shapeObject,
  shapeParameterInfo,
  shapePreset,
  shapePresets,
  shapeName,
  shapeStringFromValue,
  shapeValueFromString,
  shapeHost,
  shapePoints,
  shapeRefused,
} PropertyShape;

PropertyShape AuricleShapeOf(AudioUnitPropertyID property);

/// A place in bytes of another process.
typedef struct {
  const uint8_t *bytes;
  size_t left;
  bool hasFailed;
} ByteReader;

void AuricleReadBytes(ByteReader *reader, void *value, size_t count);
uint32_t AuricleReadCount(ByteReader *reader);

/// Writes an object of a property list, or a URL; NULL as well.
void AuricleWriteObject(AuricleLinkBytes *bytes, CFTypeRef object, int depth);
/// Reads an object, which the caller releases; NULL for none.
CFTypeRef AuricleReadObject(ByteReader *reader, int depth);

/// Writes a value that is set, or that was got. `releases`: the names in it are the caller's, and are released.
void AuricleWriteValue(AuricleLinkBytes *bytes, AudioUnitPropertyID property, const void *data, uint32_t size,
                       bool releases);
/// Writes the part of a value that a get reads.
void AuricleWriteQuestion(AuricleLinkBytes *bytes, AudioUnitPropertyID property, const void *data, uint32_t size);

#endif
