// The one symbol that the sample delay exports.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SAMPLE_DELAY_H
#define AURICLE_SAMPLE_DELAY_H

struct AudioComponentDescription;
struct AudioComponentPlugInInterface;

// Makes one instance; freed by its Close. Context: control.
__attribute__((visibility("default"))) struct AudioComponentPlugInInterface *
AuricleSampleDelayFactory(const struct AudioComponentDescription *description);

#endif
