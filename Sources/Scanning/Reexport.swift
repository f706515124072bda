/// Jobs are made of what reading returns: whoever imports `Scanning` can use it.
@_exported public import Reading
