// The declarations that the parts of the core share: the unit's methods by name, and texts.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "Unit.h"

OSStatus getProperty(
    struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size);
OSStatus setProperty(
    struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size);
bool hasProperty(struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size);
// The unit's method for a selector; null for none.
AudioComponentMethod methodOf(struct Unit *unit, SInt16 selector);

// A text of Core Foundation as bytes of UTF-8, without control characters; empty for none.
void copyText(const struct Foundation *cf, CFStringRef string, char *text, size_t size);
CFStringRef makeText(const struct Foundation *cf, const char *text);
// Reads a property that is a string; releases it.
bool readText(struct Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, char *text, size_t size);

// Numbers with a point, in any locale of the host.
double readNumber(const char *text, char **end);
void printNumber(Float32 value, char *text, size_t size);
// Makes the unit pull an input bus.
void feedBus(struct Unit *unit, UInt32 bus);
// A property list of Core Foundation as XML; to be freed. Null for one with other objects.
char *writeList(const struct Foundation *cf, CFTypeRef list, size_t *length);
bool describeParameters(struct Unit *unit, char *reason, size_t size);
void freeParameters(struct Unit *unit);
// The format of a bus.
bool readFormat(struct Unit *unit, bool isOutput, UInt32 bus, AudioStreamBasicDescription *format);
