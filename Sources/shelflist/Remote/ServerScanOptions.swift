import ShelflistClient

/// The options of a scan on a server; those of a scan on this machine have the same name.
typealias ServerScanOptions = ScanOptions
