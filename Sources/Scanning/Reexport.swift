/// Jobs are made of what reading returns: a file that imports `Scanning` can use it.
@_exported public import Reading
