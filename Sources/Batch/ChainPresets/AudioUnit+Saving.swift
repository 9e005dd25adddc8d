// Makes a unit ready to write its state, as it is in a batch.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AudioUnits
import ResultSettings

extension AudioUnit {
  /// Initializes the unit so that its state can be written: offline, where the work that a plug-in leaves
  /// to another thread is done by then, and for slices as those of batches, since plug-ins may refuse others.
  ///
  /// Context: control.
  package func initializeToSave() throws(AuricleError) {
    setRendersOffline(true)
    try setMaximumFramesPerSlice(JobSettings().framesPerSlice)
    try initialize()
  }
}
