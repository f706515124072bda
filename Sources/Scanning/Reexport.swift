/// Jobs are made of what reading returns: whoever imports `Scanning` can use it.
@_exported package import Reading
