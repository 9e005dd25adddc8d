// Graphs: units as nodes, connected, and run as one.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUGRAPH_H
#define AURICLE_AUGRAPH_H

#include "AudioUnitProperties.h"
#include "MusicDevice.h"

struct OpaqueAUGraph;
struct ComponentDescription;

typedef struct OpaqueAUGraph *AUGraph;
typedef SInt32 AUNode;

AURICLE_ENUM(OSStatus) {
  kAUGraphErr_NodeNotFound = -10860,              // the graph has no such node
  kAUGraphErr_InvalidConnection = -10861,         // this connection is not possible
  kAUGraphErr_OutputNodeErr = -10862,             // the graph has one output node already, or none
  kAUGraphErr_CannotDoInCurrentContext = -10863,  // not possible just now; try again
  kAUGraphErr_InvalidAudioUnit = -10864,          // the node has no valid unit
};

// The kinds of sources of a node's input.
AURICLE_ENUM(UInt32) {
  kAUNodeInteraction_Connection = 1,
  kAUNodeInteraction_InputCallback = 2,
};

// One node's output into another's input.
typedef struct AudioUnitNodeConnection {
  AUNode sourceNode;
  UInt32 sourceOutputNumber;
  AUNode destNode;
  UInt32 destInputNumber;
} AudioUnitNodeConnection;
typedef AudioUnitNodeConnection AUNodeConnection;

// A callback into a node's input.
typedef struct AUNodeRenderCallback {
  AUNode destNode;
  AudioUnitElement destInputNumber;
  AURenderCallbackStruct cback;
} AUNodeRenderCallback;

// Either of them.
typedef struct AUNodeInteraction {
  UInt32 nodeInteractionType;
  union {
    AUNodeConnection connection;
    AUNodeRenderCallback inputCallback;
  } nodeInteraction;
} AUNodeInteraction;

AURICLE_BEGIN_DECLS

extern OSStatus NewAUGraph(AUGraph *graph);
extern OSStatus DisposeAUGraph(AUGraph graph);
extern OSStatus AUGraphAddNode(
    AUGraph graph, const AudioComponentDescription *description, AUNode *node);
extern OSStatus AUGraphRemoveNode(AUGraph graph, AUNode node);
extern OSStatus AUGraphGetNodeCount(AUGraph graph, UInt32 *count);
extern OSStatus AUGraphGetIndNode(AUGraph graph, UInt32 index, AUNode *node);
extern OSStatus AUGraphNodeInfo(
    AUGraph graph, AUNode node, AudioComponentDescription *description, AudioUnit *unit);
extern OSStatus AUGraphNewNodeSubGraph(AUGraph graph, AUNode *node);
extern OSStatus AUGraphGetNodeInfoSubGraph(const AUGraph graph, AUNode node, AUGraph *subGraph);
extern OSStatus AUGraphIsNodeSubGraph(const AUGraph graph, AUNode node, Boolean *isSubGraph);
extern OSStatus AUGraphConnectNodeInput(
    AUGraph graph, AUNode sourceNode, UInt32 sourceOutput, AUNode destinationNode,
    UInt32 destinationInput);
extern OSStatus AUGraphSetNodeInputCallback(
    AUGraph graph, AUNode node, UInt32 input, const AURenderCallbackStruct *callback);
extern OSStatus AUGraphDisconnectNodeInput(AUGraph graph, AUNode node, UInt32 input);
extern OSStatus AUGraphClearConnections(AUGraph graph);
extern OSStatus AUGraphGetNumberOfInteractions(AUGraph graph, UInt32 *count);
extern OSStatus AUGraphGetInteractionInfo(
    AUGraph graph, UInt32 index, AUNodeInteraction *interaction);
extern OSStatus AUGraphCountNodeInteractions(AUGraph graph, AUNode node, UInt32 *count);
extern OSStatus AUGraphGetNodeInteractions(
    AUGraph graph, AUNode node, UInt32 *count, AUNodeInteraction *interactions);
extern OSStatus AUGraphUpdate(AUGraph graph, Boolean *isUpdated);
extern OSStatus AUGraphOpen(AUGraph graph);
extern OSStatus AUGraphClose(AUGraph graph);
extern OSStatus AUGraphInitialize(AUGraph graph);
extern OSStatus AUGraphUninitialize(AUGraph graph);
extern OSStatus AUGraphStart(AUGraph graph);
extern OSStatus AUGraphStop(AUGraph graph);
extern OSStatus AUGraphIsOpen(AUGraph graph, Boolean *isOpen);
extern OSStatus AUGraphIsInitialized(AUGraph graph, Boolean *isInitialized);
extern OSStatus AUGraphIsRunning(AUGraph graph, Boolean *isRunning);
extern OSStatus AUGraphGetCPULoad(AUGraph graph, Float32 *load);
extern OSStatus AUGraphGetMaxCPULoad(AUGraph graph, Float32 *load);
extern OSStatus AUGraphAddRenderNotify(AUGraph graph, AURenderCallback callback, void *refCon);
extern OSStatus AUGraphRemoveRenderNotify(AUGraph graph, AURenderCallback callback, void *refCon);
extern OSStatus AUGraphNewNode(
    AUGraph graph, const struct ComponentDescription *description, UInt32 classDataSize,
    const void *classData, AUNode *node);
extern OSStatus AUGraphGetNodeInfo(
    AUGraph graph, AUNode node, struct ComponentDescription *description, UInt32 *classDataSize,
    void **classData, AudioUnit *unit);
extern OSStatus AUGraphGetNumberOfConnections(AUGraph graph, UInt32 *count);
extern OSStatus AUGraphGetConnectionInfo(
    AUGraph graph, UInt32 index, AUNode *sourceNode, UInt32 *sourceOutput, AUNode *destinationNode,
    UInt32 *destinationInput);
extern OSStatus AUGraphCountNodeConnections(AUGraph graph, AUNode node, UInt32 *count);
extern OSStatus AUGraphGetNodeConnections(
    AUGraph graph, AUNode node, AudioUnitNodeConnection *connections, UInt32 *count);

AURICLE_END_DECLS

#endif
