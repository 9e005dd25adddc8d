// Prepares a unit for writing its state, with the formats of a batch.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import AudioUnits
import ResultSettings

extension AudioUnit {
  /// Initializes the unit so that its state can be written: offline, so that a plug-in's worker has finished,
  /// and with the slice size of batches, since plug-ins may refuse others.
  ///
  /// Context: control.
  package func initializeToSave() throws(AuricleError) {
    setRendersOffline(true)
    try setMaximumFramesPerSlice(JobSettings().framesPerSlice)
    try initialize()
  }
}
