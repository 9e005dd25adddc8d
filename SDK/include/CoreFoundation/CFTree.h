// Trees: a node has a value of its maker's and children in order.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CFTREE_H
#define AURICLE_CFTREE_H

#include "CFBase.h"

#if defined(__swift__)
#define CFTreeRef AuricleCFTreeRef
#endif
typedef struct __CFTree *CFTreeRef AURICLE_SWIFT_NAME("CFTreeRef");

typedef const void *(*CFTreeRetainCallBack)(const void *info);
typedef void (*CFTreeReleaseCallBack)(const void *info);
typedef CFStringRef (*CFTreeCopyDescriptionCallBack)(const void *info);
typedef void (*CFTreeApplierFunction)(const void *value, void *context);

// The value of a node, and its management. Any of the functions may be NULL.
typedef struct {
  CFIndex version;  // 0
  void *info;
  CFTreeRetainCallBack retain;
  CFTreeReleaseCallBack release;
  CFTreeCopyDescriptionCallBack copyDescription;
} CFTreeContext;

AURICLE_BEGIN_DECLS

extern CFTypeID CFTreeGetTypeID(void);
extern CFTreeRef CFTreeCreate(CFAllocatorRef allocator, const CFTreeContext *context);

// A parent retains its children; a child does not retain its parent.
extern CFTreeRef CFTreeGetParent(CFTreeRef tree);
extern CFTreeRef CFTreeGetNextSibling(CFTreeRef tree);
extern CFTreeRef CFTreeGetFirstChild(CFTreeRef tree);
extern CFIndex CFTreeGetChildCount(CFTreeRef tree);
extern CFTreeRef CFTreeGetChildAtIndex(CFTreeRef tree, CFIndex index);
extern void CFTreeGetChildren(CFTreeRef tree, CFTreeRef *children);
extern CFTreeRef CFTreeFindRoot(CFTreeRef tree);
extern void CFTreeApplyFunctionToChildren(
    CFTreeRef tree, CFTreeApplierFunction applier, void *context);
extern void CFTreeGetContext(CFTreeRef tree, CFTreeContext *context);
extern void CFTreeSetContext(CFTreeRef tree, const CFTreeContext *context);

extern void CFTreePrependChild(CFTreeRef tree, CFTreeRef newChild);
extern void CFTreeAppendChild(CFTreeRef tree, CFTreeRef newChild);
extern void CFTreeInsertSibling(CFTreeRef tree, CFTreeRef newSibling);
extern void CFTreeRemove(CFTreeRef tree);
extern void CFTreeRemoveAllChildren(CFTreeRef tree);
extern void CFTreeSortChildren(CFTreeRef tree, CFComparatorFunction comparator, void *context);

AURICLE_END_DECLS

#endif
