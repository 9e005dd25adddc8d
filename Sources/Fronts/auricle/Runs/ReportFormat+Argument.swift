// The formats of reports as words of an option.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import RunReports

extension ReportFormat: ExpressibleByArgument {}
